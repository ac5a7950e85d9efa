// What a call costs: prints processor time. docs/c.md has the command and the figures.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "klondike.h"

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void good(KlondikeStatus status) {
    if (status != KLONDIKE_STATUS_OK) {
        fprintf(stderr, "status %d\n", (int)status);
        exit(1);
    }
}

#define MEASURE(name, times, call)                                           \
    do {                                                                     \
        double begin = seconds();                                            \
        for (int i = 0; i < (times); i++) {                                  \
            call;                                                            \
        }                                                                    \
        printf("%-32s %8.3f us\n", name, 1e6 * (seconds() - begin) / (times)); \
    } while (0)

// Decides the deals klondike:1 to klondike:last.
static void batch(KlondikeRules *rules, KlondikeSolver *solver, int last) {
    int winnable = 0;
    double begin = seconds();
    for (int deal = 1; deal <= last; deal++) {
        char seed[32];
        KlondikePosition *game;
        KlondikeVerdict verdict;
        snprintf(seed, sizeof seed, "klondike:%d", deal);
        good(klondike_position_new(rules, seed, &game, NULL));
        good(klondike_solver_solve(solver, game, &verdict, NULL, NULL));
        winnable += verdict == KLONDIKE_VERDICT_WINNABLE;
        klondike_position_free(game);
    }
    printf("%d of %d deals winnable: %.2f s\n", winnable, last, seconds() - begin);
}

int main(int count, char **arguments) {
    KlondikeRules *rules;
    KlondikePosition *game, *other;
    KlondikeSolver *solver, *cancelled;
    KlondikeMove moves[64], draw;
    KlondikeVerdict verdict;
    uint8_t cards[52];
    size_t found;
    bool won;
    good(klondike_rules_new("standard", &rules, NULL));
    good(klondike_solver_new(NULL, &solver, NULL));
    if (count > 1) {
        batch(rules, solver, atoi(arguments[1]));
        return 0;
    }
    good(klondike_position_new(rules, "klondike:5", &game, NULL));
    good(klondike_position_moves(game, moves, 64, &found, NULL));
    draw = moves[0];
    const int many = 200000;
    MEASURE("rules_new, rules_free", many, {
        KlondikeRules *made;
        good(klondike_rules_new("draw1", &made, NULL));
        klondike_rules_free(made);
    });
    MEASURE("position_new, position_free", many, {
        good(klondike_position_new(rules, "klondike:5", &other, NULL));
        klondike_position_free(other);
    });
    MEASURE("position_copy, position_free", many, {
        good(klondike_position_copy(game, &other, NULL));
        klondike_position_free(other);
    });
    MEASURE("position_moves", many, good(klondike_position_moves(game, moves, 64, &found, NULL)));
    MEASURE("position_play, position_undo", many, {
        good(klondike_position_play(game, &draw, NULL));
        good(klondike_position_undo(game, NULL, NULL));
    });
    MEASURE("position_cards", many,
            good(klondike_position_cards(game, 7, cards, 52, &found, NULL, NULL)));
    MEASURE("position_is_won", many, good(klondike_position_is_won(game, &won, NULL)));
    MEASURE("solver_new, solver_free", many, {
        good(klondike_solver_new(NULL, &cancelled, NULL));
        klondike_solver_free(cancelled);
    });
    // A solver that is cancelled does all but the search.
    good(klondike_solver_new(NULL, &cancelled, NULL));
    good(klondike_solver_cancel(cancelled, NULL));
    MEASURE("solver_solve, cancelled", many,
            good(klondike_solver_solve(cancelled, game, &verdict, NULL, NULL)));
    return 0;
}
