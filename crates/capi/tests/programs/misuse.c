// Gives every call what it must refuse: NULL, handles of another kind, texts that are none, rooms
// that are too small. Each gives its status and a message that names the argument.
#include "check.h"

static KlondikeRules *rules;
static KlondikePosition *game;
static KlondikeSolver *solver;
static KlondikeDecision *decision;

// Memory of a wrong alignment for any handle, number or pointer.
static uint64_t memory[8];
#define CROOKED(type) ((type *)((char *)memory + 1))
// A handle of another kind.
#define OTHER(type, handle) ((type *)(void *)(handle))

static void make(void) {
    KlondikeVerdict verdict;
    GOOD(klondike_rules_new("draw1", &rules, &error));
    GOOD(klondike_position_new(rules, "klondike:1", &game, &error));
    GOOD(klondike_solver_new(NULL, &solver, &error));
    GOOD(klondike_solver_solve(solver, game, &verdict, &decision, &error));
}

static void nulls(void) {
    const KlondikeStatus bad = KLONDIKE_STATUS_NULL;
    KlondikeMove move = {0};
    KlondikeVerdict verdict;
    KlondikeRules *made_rules = rules;
    KlondikePosition *made = game;
    size_t count = 1;
    double chance;
    char *text = (char *)"old";
    BAD(bad, "`text`", klondike_rules_new(NULL, &made_rules, &error));
    CHECK(made_rules == NULL); // and not what stood there
    BAD(bad, "`rules`", klondike_rules_new("draw1", NULL, &error));
    BAD(bad, "`rules`", klondike_position_new(NULL, "klondike:1", &made, &error));
    CHECK(made == NULL);
    BAD(bad, "`text`", klondike_position_new(rules, NULL, &made, &error));
    BAD(bad, "`position`", klondike_position_new(rules, "klondike:1", NULL, &error));
    BAD(bad, "`position`", klondike_position_copy(NULL, &made, &error));
    BAD(bad, "`copy`", klondike_position_copy(game, NULL, &error));
    BAD(bad, "`position`", klondike_position_moves(NULL, &move, 1, &count, &error));
    CHECK(count == 0);
    BAD(bad, "`moves`", klondike_position_moves(game, NULL, 1, &count, &error));
    BAD(bad, "`count`", klondike_position_moves(game, &move, 1, NULL, &error));
    BAD(bad, "`position`", klondike_position_play(NULL, &move, &error));
    BAD(bad, "`made`", klondike_position_play(game, NULL, &error));
    BAD(bad, "`position`", klondike_position_play_text(NULL, "draw", &error));
    BAD(bad, "`text`", klondike_position_play_text(game, NULL, &error));
    BAD(bad, "`position`", klondike_position_undo(NULL, NULL, &error));
    BAD(bad, "`position`", klondike_position_cards(NULL, 1, NULL, 0, &count, NULL, &error));
    BAD(bad, "`cards`", klondike_position_cards(game, 1, NULL, 9, &count, NULL, &error));
    BAD(bad, "`count`", klondike_position_cards(game, 1, NULL, 0, NULL, NULL, &error));
    BAD(bad, "`position`", klondike_position_is_won(NULL, &(bool){false}, &error));
    BAD(bad, "`won`", klondike_position_is_won(game, NULL, &error));
    BAD(bad, "`position`", klondike_position_write(NULL, &text, &error));
    CHECK(text == NULL);
    BAD(bad, "`text`", klondike_position_write(game, NULL, &error));
    BAD(bad, "`solver`", klondike_solver_new(NULL, NULL, &error));
    BAD(bad, "`solver`", klondike_solver_cancel(NULL, &error));
    BAD(bad, "`solver`", klondike_solver_solve(NULL, game, &verdict, NULL, &error));
    BAD(bad, "`position`", klondike_solver_solve(solver, NULL, &verdict, NULL, &error));
    BAD(bad, "`verdict`", klondike_solver_solve(solver, game, NULL, NULL, &error));
    BAD(bad, "`solver`", klondike_solver_hint(NULL, game, 1, 1, &move, &chance, &error));
    BAD(bad, "`position`", klondike_solver_hint(solver, NULL, 1, 1, &move, &chance, &error));
    BAD(bad, "`hint`", klondike_solver_hint(solver, game, 1, 1, NULL, &chance, &error));
    BAD(bad, "`chance`", klondike_solver_hint(solver, game, 1, 1, &move, NULL, &error));
    BAD(bad, "`solver`", klondike_solver_ask(NULL, "{}", &text, &error));
    BAD(bad, "`request`", klondike_solver_ask(solver, NULL, &text, &error));
    BAD(bad, "`answered`", klondike_solver_ask(solver, "{}", NULL, &error));
    BAD(bad, "`decision`", klondike_decision_solution(NULL, NULL, 0, &count, &error));
    BAD(bad, "`decision`", klondike_decision_reason(NULL, &text, &error));
    BAD(bad, "`reason`", klondike_decision_reason(decision, NULL, &error));
    // Without a place for the message there is the status.
    CHECK(klondike_rules_new(NULL, &made_rules, NULL) == KLONDIKE_STATUS_NULL);
    CHECK(klondike_solver_ask(solver, "{}", NULL, CROOKED(char *)) == KLONDIKE_STATUS_NULL);
    CHECK(klondike_rules_free(NULL) == KLONDIKE_STATUS_OK);
    CHECK(klondike_position_free(NULL) == KLONDIKE_STATUS_OK);
    CHECK(klondike_solver_free(NULL) == KLONDIKE_STATUS_OK);
    CHECK(klondike_decision_free(NULL) == KLONDIKE_STATUS_OK);
    klondike_text_free(NULL);
}

// One bad place for an answer: the other places get nothing, and not what stood there.
static void nothing_after_a_failure(void) {
    const KlondikeStatus null = KLONDIKE_STATUS_NULL, wrong = KLONDIKE_STATUS_WRONG_POINTER;
    KlondikeDecision *made = decision;
    KlondikeVerdict verdict = KLONDIKE_VERDICT_WINNABLE;
    KlondikeMove move = {.count = 1};
    double chance = 1;
    size_t count = 1, face_down = 1;
    BAD(null, "`verdict`", klondike_solver_solve(solver, game, NULL, &made, &error));
    CHECK(made == NULL);
    BAD(wrong, "`decision`",
        klondike_solver_solve(solver, game, &verdict, CROOKED(KlondikeDecision *), &error));
    CHECK(verdict == KLONDIKE_VERDICT_UNDECIDED);
    BAD(null, "`hint`", klondike_solver_hint(solver, game, 1, 1, NULL, &chance, &error));
    CHECK(chance == 0);
    BAD(null, "`chance`", klondike_solver_hint(solver, game, 1, 1, &move, NULL, &error));
    CHECK(move.count == 0);
    BAD(null, "`count`", klondike_position_cards(game, 1, NULL, 0, NULL, &face_down, &error));
    CHECK(face_down == 0);
    face_down = 1;
    BAD(null, "`cards`", klondike_position_cards(game, 1, NULL, 9, &count, &face_down, &error));
    CHECK(count == 0 && face_down == 0);
    face_down = 1;
    BAD(KLONDIKE_STATUS_TOO_SMALL, "`cards`",
        klondike_position_cards(game, 7, NULL, 0, &count, &face_down, &error));
    CHECK(count == 7 && face_down == 0);
}

static void wrong_pointers(void) {
    const KlondikeStatus bad = KLONDIKE_STATUS_WRONG_POINTER;
    KlondikePosition *made = NULL;
    KlondikeVerdict verdict;
    size_t count;
    char *text;
    BAD(bad, "`rules`",
        klondike_position_new(OTHER(KlondikeRules, game), "klondike:1", &made, &error));
    BAD(bad, "`position`",
        klondike_position_moves(OTHER(KlondikePosition, rules), NULL, 0, &count, &error));
    BAD(bad, "`solver`",
        klondike_solver_solve(OTHER(KlondikeSolver, decision), game, &verdict, NULL, &error));
    BAD(bad, "`decision`",
        klondike_decision_reason(OTHER(KlondikeDecision, solver), &text, &error));
    BAD(bad, "`position`", klondike_position_write(CROOKED(KlondikePosition), &text, &error));
    BAD(bad, "`count`", klondike_position_moves(game, NULL, 0, CROOKED(size_t), &error));
    KlondikeSolver *made_solver;
    BAD(bad, "`limits`", klondike_solver_new(CROOKED(KlondikeLimits), &made_solver, &error));
    // Memory that is no handle.
    BAD(bad, "`solver`", klondike_solver_cancel((KlondikeSolver *)memory, &error));
    CHECK(klondike_rules_free(OTHER(KlondikeRules, game)) == bad);
    CHECK(klondike_position_free((KlondikePosition *)memory) == bad);
    CHECK(klondike_solver_free(OTHER(KlondikeSolver, decision)) == bad);
    CHECK(klondike_decision_free(OTHER(KlondikeDecision, game)) == bad);
}

static void garbage(void) {
    KlondikeRules *made_rules;
    KlondikePosition *made;
    KlondikeSolver *made_solver;
    KlondikeMove move;
    uint8_t cards[3];
    size_t count;
    double chance;
    char *text;
    BAD(KLONDIKE_STATUS_NOT_UTF8, "`text`", klondike_rules_new("\xff", &made_rules, &error));
    BAD(KLONDIKE_STATUS_NOT_UTF8, "`text`",
        klondike_position_new(rules, "klondike:\xc3(", &made, &error));
    BAD(KLONDIKE_STATUS_BAD_ARGUMENT, "`text`", klondike_rules_new("draw2", &made_rules, &error));
    BAD(KLONDIKE_STATUS_BAD_ARGUMENT, "`text`",
        klondike_rules_new("{\"deck\": 1}", &made_rules, &error));
    BAD(KLONDIKE_STATUS_BAD_ARGUMENT, "`text`", klondike_rules_new("{", &made_rules, &error));
    BAD(KLONDIKE_STATUS_BAD_DATA, "`text`", klondike_position_new(rules, "", &made, &error));
    BAD(KLONDIKE_STATUS_BAD_DATA, "`text`", klondike_position_new(rules, "hello", &made, &error));
    BAD(KLONDIKE_STATUS_BAD_DATA, "`text`",
        klondike_position_new(rules, "klondike:-1", &made, &error));
    KlondikeLimits limits = {.threads = 1025};
    BAD(KLONDIKE_STATUS_BAD_ARGUMENT, "`limits`",
        klondike_solver_new(&limits, &made_solver, &error));
    // Every move of numbers is legal or refused.
    KlondikeMove legal[64];
    GOOD(klondike_position_moves(game, legal, 64, &count, &error));
    size_t good = 0;
    for (int i = 0; i < 32 * 32 * 14; i++) {
        move = (KlondikeMove){.from = i % 32, .to = i / 32 % 32, .count = i / 1024};
        char *error;
        KlondikeStatus status = klondike_position_play(game, &move, &error);
        CHECK(status == KLONDIKE_STATUS_OK || status == KLONDIKE_STATUS_BAD_DATA);
        if (status == KLONDIKE_STATUS_OK) {
            good++;
            GOOD(klondike_position_undo(game, NULL, &error));
        }
        klondike_text_free(error);
    }
    CHECK(good == count);
    move = (KlondikeMove){255, 255, 255, 255, 255};
    BAD(KLONDIKE_STATUS_BAD_DATA, "`made`", klondike_position_play(game, &move, &error));
    BAD(KLONDIKE_STATUS_BAD_DATA, "`text`", klondike_position_play_text(game, "draw 2C", &error));
    BAD(KLONDIKE_STATUS_BAD_DATA, "taken back", klondike_position_undo(game, NULL, &error));
    for (int place = 0; place < 256; place++) {
        char *error;
        klondike_position_cards(game, (uint8_t)place, cards, 3, &count, NULL, &error);
        klondike_text_free(error);
    }
    BAD(KLONDIKE_STATUS_BAD_ARGUMENT, "`place`",
        klondike_position_cards(game, 8, cards, 3, &count, NULL, &error));
    cards[0] = 77;
    BAD(KLONDIKE_STATUS_TOO_SMALL, "`cards`",
        klondike_position_cards(game, 7, cards, 3, &count, NULL, &error));
    CHECK(count == 7 && cards[0] == 77);
    BAD(KLONDIKE_STATUS_TOO_SMALL, "`moves`",
        klondike_position_moves(game, NULL, 0, &count, &error));
    CHECK(count == good);
    BAD(KLONDIKE_STATUS_BAD_ARGUMENT, "`capacity`",
        klondike_position_moves(game, legal, SIZE_MAX, &count, &error));
    BAD(KLONDIKE_STATUS_BAD_ARGUMENT, "`iterations`",
        klondike_solver_hint(solver, game, 0, 1, &move, &chance, &error));
    BAD(KLONDIKE_STATUS_BAD_ARGUMENT, "`request`", klondike_solver_ask(solver, "", &text, &error));
    BAD(KLONDIKE_STATUS_BAD_ARGUMENT, "`kind`", klondike_solver_ask(solver, "{}", &text, &error));
    BAD(KLONDIKE_STATUS_BAD_DATA, "`request`",
        klondike_solver_ask(solver, "{\"kind\": \"solve\", \"deal\": \"\\u0000\"}", &text, &error));
    CHECK(text == NULL);
}

int main(void) {
    make();
    nulls();
    nothing_after_a_failure();
    wrong_pointers();
    garbage();
    klondike_rules_free(rules);
    klondike_position_free(game);
    klondike_solver_free(solver);
    klondike_decision_free(decision);
    puts("good");
    return 0;
}
