// What the test programs share: a check that says what is wrong, and where.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "klondike.h"

#define CHECK(that)                                                         \
    do {                                                                    \
        if (!(that)) {                                                      \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #that); \
            exit(1);                                                        \
        }                                                                   \
    } while (0)

// The call succeeds.
#define GOOD(call)                                                          \
    do {                                                                    \
        char *error = (char *)"not set";                                    \
        KlondikeStatus status = (call);                                     \
        if (status != KLONDIKE_STATUS_OK) {                                 \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, error); \
            exit(1);                                                        \
        }                                                                   \
        CHECK(error == NULL);                                               \
    } while (0)

// The call fails with this status and with a message that has these words.
#define BAD(wanted, words, call)                                            \
    do {                                                                    \
        char *error = NULL;                                                 \
        KlondikeStatus status = (call);                                     \
        if (status != (wanted) || error == NULL || !strstr(error, words)) { \
            fprintf(stderr, "%s:%d: %s: status %d, %s\n", __FILE__, __LINE__, #call, \
                    (int)status, error ? error : "no message");             \
            exit(1);                                                        \
        }                                                                   \
        klondike_text_free(error);                                          \
    } while (0)
