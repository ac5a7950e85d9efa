// Made by cbindgen of the source in crates/capi: change it there.
//
// Klondike solitaire: whether a game can be won, and how. docs/c.md is the manual.
//
// * Every call that can fail gives a status, and in `error` a message that names what is wrong.
//   `error` may be NULL. Free the message with `klondike_text_free`; it is NULL after a success.
// * All texts are UTF-8 and end with a zero byte. Texts that you give stay yours. Texts that you
//   get are yours: free them with `klondike_text_free`.
// * Free each handle with the call of its kind that ends with `_free`. No handle needs another one
//   to live on.
// * After a failure what a call gives is nothing: NULL or 0. Only the count of a room that is too
//   small says how much is needed.
// * All handles may be used by several threads at once. Only free them last.
// * Pointers must be NULL or point to what the call says. The library refuses NULL, handles of the
//   wrong kind and pointers of wrong alignment. It cannot see all others: a freed handle, or a
//   length that is too large, is the caller's mistake as everywhere in C.


#ifndef KLONDIKE_H
#define KLONDIKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The binary interface that this header describes. `klondike_abi` gives that of the library: if it
// is another number, do not call anything else.
#define KLONDIKE_ABI 1

// The place of the stock. A pile has its number, from 1 at the left.
#define KLONDIKE_STOCK 0

// The place of the waste.
#define KLONDIKE_WASTE 20

// The place of the foundation of clubs. Those of diamonds, hearts and spades follow: 22 to 24.
#define KLONDIKE_FOUNDATION 21

// Where the waste goes for the last pass by ones; by a redeal it goes to the stock.
#define KLONDIKE_LAST_PASS 25

// How a call ended.
enum KlondikeStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // It did what it says.
  KLONDIKE_STATUS_OK = 0,
  // A pointer is NULL that must not be.
  KLONDIKE_STATUS_NULL = 1,
  // A handle is of another kind or freed, or a pointer has a wrong alignment.
  KLONDIKE_STATUS_WRONG_POINTER = 2,
  // A text is not UTF-8.
  KLONDIKE_STATUS_NOT_UTF8 = 3,
  // An argument has a value that it cannot have, or a request is none.
  KLONDIKE_STATUS_BAD_ARGUMENT = 4,
  // There is no answer: the deal is none, the move is illegal, the rules do not allow the
  // question.
  KLONDIKE_STATUS_BAD_DATA = 5,
  // The room for the answer is too small. The count says how much is needed.
  KLONDIKE_STATUS_TOO_SMALL = 6,
  // The library is wrong. Please report the message. Free the handles of the call.
  KLONDIKE_STATUS_BUG = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum KlondikeStatus KlondikeStatus;
#else
typedef int32_t KlondikeStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What is known of a position. These three verdicts are all there are.
enum KlondikeVerdict
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // A limit was hit, or the solver was cancelled, before anything was settled.
  KLONDIKE_VERDICT_UNDECIDED = 0,
  // There is a way to win.
  KLONDIKE_VERDICT_WINNABLE = 1,
  // It is proved that there is no way to win.
  KLONDIKE_VERDICT_UNWINNABLE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum KlondikeVerdict KlondikeVerdict;
#else
typedef int32_t KlondikeVerdict;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A verdict with what stands behind it.
typedef struct KlondikeDecision KlondikeDecision;

// A game in progress, with all cards known.
typedef struct KlondikePosition KlondikePosition;

// The rules of a game.
typedef struct KlondikeRules KlondikeRules;

// Answers questions about positions, each with the whole limits. Several threads may ask at once.
typedef struct KlondikeSolver KlondikeSolver;

// A move: take `count` cards from one place and put them on another. A draw, a redeal and the last
// pass (KLONDIKE_LAST_PASS) turn them over, every other move keeps their order. Under reversed
// groups a draw keeps it, too.
//
// A card is a number: 16 times its suit (clubs 0, diamonds 1, hearts 2, spades 3) and its rank
// (ace 1 to king 13). So 0x1C is the queen of diamonds, and 0 is no card.
typedef struct {
  // The place where the cards come from.
  uint8_t from;
  // The place where they go.
  uint8_t to;
  // How many cards move.
  uint8_t count;
  // The card that moves: of a run the lowest, of a draw the one that can be played then, of a
  // redeal and of the last pass 0.
  uint8_t card;
  // The face-down card that the move turns up, or 0.
  uint8_t turns_up;
} KlondikeMove;

// What bounds each answer. 0 is no bound, but for memory.
typedef struct {
  // Most time, in milliseconds.
  uint64_t time_ms;
  // Most states to store. The answer is then the same on every machine.
  uint64_t states;
  // Most memory for the tables of states, in bytes; 0 is half of what the machine has.
  uint64_t memory_bytes;
  // Threads that work on one question, at most 1024; 0 is 1. Verdicts do not depend on it.
  uint32_t threads;
} KlondikeLimits;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The binary interface of the library, `KLONDIKE_ABI` of its header.
uint32_t klondike_abi(void);

// The version of the library, such as "0.1.0". It lives for ever: do not free it.
const char *klondike_version(void);

// Frees a text that a call gave, such as an error. NULL is no text: nothing happens.
void klondike_text_free(char *text);

// Makes a position under these rules from a seed such as "klondike:5" (the number of a deal), from
// the cards of a deal, or from a game in progress, in any format that the program knows.
KlondikeStatus klondike_position_new(const KlondikeRules *rules,
                                     const char *text,
                                     KlondikePosition **position,
                                     char **error);

// Makes a copy of a position, with the moves that can be taken back.
KlondikeStatus klondike_position_copy(const KlondikePosition *position,
                                      KlondikePosition **copy,
                                      char **error);

// Frees a position. NULL is allowed.
KlondikeStatus klondike_position_free(KlondikePosition *position);

// Gives the legal moves, in a fixed order. The game is over if there is none; a won game can still
// have some. `moves` has room for `capacity` moves and may be NULL for none; `count` gets how many
// there are, also if they are too many.
KlondikeStatus klondike_position_moves(const KlondikePosition *position,
                                       KlondikeMove *moves,
                                       size_t capacity,
                                       size_t *count,
                                       char **error);

// Plays a move. It must have `from`, `to` and `count` of a legal move; its cards are not looked
// at. If it is illegal nothing changes.
KlondikeStatus klondike_position_play(KlondikePosition *position,
                                      const KlondikeMove *made,
                                      char **error);

// Plays moves that are written as in the JSON of answers, such as "draw*2 7C:W>5". If one is
// illegal nothing changes.
KlondikeStatus klondike_position_play_text(KlondikePosition *position,
                                           const char *text,
                                           char **error);

// Takes the last move back. `undone` gets it, and may be NULL.
KlondikeStatus klondike_position_undo(KlondikePosition *position,
                                      KlondikeMove *undone,
                                      char **error);

// Gives the cards at a place: of a pile and a foundation from the bottom up, of the stock the card
// drawn first first, of the waste the card that can be played last. `cards` has room for
// `capacity` cards, `count` gets how many there are. `face_down` gets how many of them lie face
// down, the first ones, and may be NULL.
KlondikeStatus klondike_position_cards(const KlondikePosition *position,
                                       uint8_t place,
                                       uint8_t *cards,
                                       size_t capacity,
                                       size_t *count,
                                       size_t *face_down,
                                       char **error);

// Says whether all cards are on the foundations.
KlondikeStatus klondike_position_is_won(const KlondikePosition *position,
                                        bool *won,
                                        char **error);

// Writes a position as text, without its moves: for klondike_position_new, and for the `deal` of
// a request.
KlondikeStatus klondike_position_write(const KlondikePosition *position,
                                       char **text,
                                       char **error);

// Makes rules from the name of a set, such as "standard", "draw1" or "vegas3", or from a JSON
// object with what differs from the standard rules, such as {"draw": 1, "redeals": 2}.
KlondikeStatus klondike_rules_new(const char *text,
                                  KlondikeRules **rules,
                                  char **error);

// Frees rules. Positions keep what they need of them. NULL is allowed.
KlondikeStatus klondike_rules_free(KlondikeRules *rules);

// Makes a solver. `limits` may be NULL: then nothing is bounded but memory.
KlondikeStatus klondike_solver_new(const KlondikeLimits *limits,
                                   KlondikeSolver **solver,
                                   char **error);

// Ends what the solver answers now, soon, and all that it is asked later, at once: what is not
// decided by then is undecided. Any thread may call this. To go on, make a new solver.
KlondikeStatus klondike_solver_cancel(const KlondikeSolver *solver,
                                      char **error);

// Frees a solver, after all its answers have come. NULL is allowed.
KlondikeStatus klondike_solver_free(KlondikeSolver *solver);

// Decides whether a position can be won. `verdict` gets the answer, `decision` what stands behind
// it; `decision` may be NULL.
KlondikeStatus klondike_solver_solve(const KlondikeSolver *solver,
                                     const KlondikePosition *position,
                                     KlondikeVerdict *verdict,
                                     KlondikeDecision **decision,
                                     char **error);

// Frees a decision. NULL is allowed.
KlondikeStatus klondike_decision_free(KlondikeDecision *decision);

// Gives the moves that win, which the referee has replayed; none if the position is not known to
// be winnable. `moves` has room for `capacity` moves and may be NULL for none; `count` gets how
// many there are, also if they are too many.
KlondikeStatus klondike_decision_solution(const KlondikeDecision *decision,
                                          KlondikeMove *moves,
                                          size_t capacity,
                                          size_t *count,
                                          char **error);

// Gives in words why the position cannot be won; or the moves that win, for
// klondike_position_play_text; or the limit that was hit: time, states, memory, or interrupt if
// the solver was cancelled.
KlondikeStatus klondike_decision_reason(const KlondikeDecision *decision,
                                        char **reason,
                                        char **error);

// Gives a next move for a person who does not see the hidden cards: they are not looked at.
// `iterations` says how long to think, 1 to 100000 (800 take about a second); `seed` is that of
// the random numbers. `hint` gets the move, and `chance` the chance of winning after it, 0 to 1 or
// -1 if it is not known, as after klondike_solver_cancel. Without a move the `count` of the hint
// is 0, and the chance is 0 if the game is lost for every order of hidden cards that was tried, 1
// if it is won. There are no hints for a last pass by ones, for layouts that are too large, and
// for reversed groups while a limited redeal is left. (With all cards seen the hint is the first
// move of klondike_decision_solution.)
KlondikeStatus klondike_solver_hint(const KlondikeSolver *solver,
                                    const KlondikePosition *position,
                                    uint32_t iterations,
                                    uint64_t seed,
                                    KlondikeMove *hint,
                                    double *chance,
                                    char **error);

// Answers a request of the contract, JSON for JSON: everything that has no call of its own, such
// as {"kind": "analyse", "deal": "klondike:1", "rules": "draw1"}. The limits of the solver are
// those that a request cannot raise. docs/c.md lists the kinds.
KlondikeStatus klondike_solver_ask(const KlondikeSolver *solver,
                                   const char *request,
                                   char **answered,
                                   char **error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* KLONDIKE_H */
