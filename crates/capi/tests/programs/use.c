// Uses every call as it is meant: the referee's game, verdicts, hints, JSON, cancelling, threads.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static KlondikePosition *position(const char *rules_text, const char *deal) {
    KlondikeRules *rules = NULL;
    KlondikePosition *made = NULL;
    GOOD(klondike_rules_new(rules_text, &rules, &error));
    GOOD(klondike_position_new(rules, deal, &made, &error));
    CHECK(klondike_rules_free(rules) == KLONDIKE_STATUS_OK);
    return made;
}

static bool is_won(const KlondikePosition *game) {
    bool won = false;
    GOOD(klondike_position_is_won(game, &won, &error));
    return won;
}

static char *written(const KlondikePosition *game) {
    char *text = NULL;
    GOOD(klondike_position_write(game, &text, &error));
    return text;
}

// All cards are somewhere, each once.
static void check_cards(const KlondikePosition *game) {
    int seen[64] = {0};
    size_t all = 0;
    for (int place = 0; place <= KLONDIKE_FOUNDATION + 3; place++) {
        uint8_t cards[52];
        size_t count = 0, face_down = 0;
        if (place > 7 && place < KLONDIKE_WASTE) {
            continue;
        }
        GOOD(klondike_position_cards(game, (uint8_t)place, cards, 52, &count, &face_down, &error));
        CHECK(face_down <= count);
        for (size_t i = 0; i < count; i++) {
            CHECK(cards[i] < 64 && cards[i] % 16 >= 1 && cards[i] % 16 <= 13);
            CHECK(seen[cards[i]]++ == 0);
        }
        all += count;
    }
    CHECK(all == 52);
}

// The top card of a place, or 0.
static uint8_t top(const KlondikePosition *game, uint8_t place, size_t *face_down) {
    uint8_t cards[52];
    size_t count = 0;
    GOOD(klondike_position_cards(game, place, cards, 52, &count, face_down, &error));
    return count == 0 ? 0 : cards[count - 1];
}

static bool is_pile(uint8_t place) {
    return place >= 1 && place <= 7;
}

// Plays a move that is legal, and checks what it says of itself.
static void play(KlondikePosition *game, KlondikeMove made) {
    KlondikeMove legal[256];
    size_t count = 0, before = 0, after = 0;
    bool found = false;
    GOOD(klondike_position_moves(game, legal, 256, &count, &error));
    for (size_t i = 0; i < count; i++) {
        found = found || memcmp(&legal[i], &made, sizeof made) == 0;
    }
    CHECK(found);
    if (is_pile(made.from)) {
        top(game, made.from, &before);
    }
    GOOD(klondike_position_play(game, &made, &error));
    check_cards(game);
    if (is_pile(made.from)) {
        uint8_t card = top(game, made.from, &after);
        CHECK((before > after) == (made.turns_up != 0));
        CHECK(made.turns_up == 0 || made.turns_up == card);
    }
    if (made.count == 1 || made.from == KLONDIKE_STOCK) {
        CHECK(top(game, made.to, NULL) == made.card);
    }
}

// Decides six deals; plays each solution to the win and back. Gives how many cannot be won.
static int solve(const char *rules, int first) {
    int winnable = 0, unwinnable = 0;
    KlondikeSolver *solver = NULL;
    GOOD(klondike_solver_new(NULL, &solver, &error));
    for (int deal = first; deal < first + 6; deal++) {
        char seed[32];
        KlondikeVerdict verdict = KLONDIKE_VERDICT_UNDECIDED;
        KlondikeDecision *decision = NULL;
        KlondikeMove line[512];
        size_t count = 99;
        char *reason = NULL;
        snprintf(seed, sizeof seed, "klondike:%d", deal);
        KlondikePosition *game = position(rules, seed), *copy = NULL;
        char *start = written(game);
        GOOD(klondike_solver_solve(solver, game, &verdict, &decision, &error));
        GOOD(klondike_decision_reason(decision, &reason, &error));
        CHECK(strlen(reason) > 0);
        GOOD(klondike_decision_solution(decision, line, 512, &count, &error));
        winnable += verdict == KLONDIKE_VERDICT_WINNABLE;
        unwinnable += verdict == KLONDIKE_VERDICT_UNWINNABLE;
        CHECK((count > 0) == (verdict == KLONDIKE_VERDICT_WINNABLE));
        for (size_t i = 0; i < count; i++) {
            CHECK(!is_won(game));
            play(game, line[i]);
        }
        CHECK(is_won(game) == (verdict == KLONDIKE_VERDICT_WINNABLE));
        GOOD(klondike_position_copy(game, &copy, &error));
        for (size_t i = count; i > 0; i--) {
            KlondikeMove undone;
            GOOD(klondike_position_undo(copy, i % 2 ? &undone : NULL, &error));
            CHECK(i % 2 == 0 || memcmp(&undone, &line[i - 1], sizeof undone) == 0);
        }
        char *back = written(copy);
        CHECK(strcmp(start, back) == 0);
        if (verdict == KLONDIKE_VERDICT_WINNABLE) {
            GOOD(klondike_position_play_text(copy, reason, &error));
            CHECK(is_won(copy));
            GOOD(klondike_position_moves(copy, line, 512, &count, &error));
            CHECK(count > 0); // cards may go back
        }
        klondike_text_free(start);
        klondike_text_free(back);
        klondike_text_free(reason);
        klondike_decision_free(decision);
        klondike_position_free(copy);
        klondike_position_free(game);
    }
    CHECK(winnable > 0 && winnable + unwinnable == 6);
    klondike_solver_free(solver);
    return unwinnable;
}

static void limits(void) {
    KlondikeLimits limits = {.states = 1, .threads = 2};
    KlondikeSolver *solver = NULL;
    KlondikeVerdict verdict = KLONDIKE_VERDICT_WINNABLE;
    KlondikeDecision *decision = NULL;
    char *reason = NULL;
    GOOD(klondike_solver_new(&limits, &solver, &error));
    KlondikePosition *game = position("standard", "klondike:2312");
    GOOD(klondike_solver_solve(solver, game, &verdict, &decision, &error));
    CHECK(verdict == KLONDIKE_VERDICT_UNDECIDED);
    GOOD(klondike_decision_reason(decision, &reason, &error));
    CHECK(strstr(reason, "states"));
    klondike_text_free(reason);
    // A request cannot raise them.
    GOOD(klondike_solver_ask(solver,
                             "{\"kind\": \"solve\", \"deal\": \"klondike:2312\","
                             " \"limits\": {\"states\": 1000000}}",
                             &reason, &error));
    CHECK(strstr(reason, "\"limit\":\"states\""));
    klondike_text_free(reason);
    klondike_decision_free(decision);
    klondike_position_free(game);
    klondike_solver_free(solver);
}

// The largest limits are limits, too.
static void largest_limits(void) {
    KlondikeLimits limits = {UINT64_MAX, UINT64_MAX, UINT64_MAX, 1024};
    KlondikeSolver *solver = NULL;
    KlondikeVerdict verdict = KLONDIKE_VERDICT_UNDECIDED;
    GOOD(klondike_solver_new(&limits, &solver, &error));
    KlondikePosition *game = position("standard", "klondike:5");
    GOOD(klondike_solver_solve(solver, game, &verdict, NULL, &error));
    CHECK(verdict == KLONDIKE_VERDICT_WINNABLE);
    char *answer = NULL;
    GOOD(klondike_solver_ask(solver, "{\"kind\": \"solve\", \"deal\": \"klondike:5\"}", &answer,
                             &error));
    CHECK(strstr(answer, "\"verdict\":\"winnable\""));
    klondike_text_free(answer);
    klondike_position_free(game);
    klondike_solver_free(solver);
}

// A hint is a legal move, the same every time.
static void hints(void) {
    KlondikeSolver *solver = NULL;
    KlondikeMove hint, again;
    double chance = -2;
    GOOD(klondike_solver_new(NULL, &solver, &error));
    KlondikePosition *game = position("standard", "klondike:1");
    GOOD(klondike_solver_hint(solver, game, 5, 7, &hint, &chance, &error));
    GOOD(klondike_solver_hint(solver, game, 5, 7, &again, &chance, &error));
    CHECK(memcmp(&hint, &again, sizeof hint) == 0 && hint.count > 0);
    CHECK(chance == -1 || (chance >= 0 && chance <= 1));
    play(game, hint);
    klondike_position_free(game);
    klondike_solver_free(solver);
}

static void json(void) {
    KlondikeSolver *solver = NULL;
    char *answer = NULL;
    GOOD(klondike_solver_new(NULL, &solver, &error));
    GOOD(klondike_solver_ask(solver, "{\"kind\": \"analyse\", \"deal\": \"klondike:1\"}", &answer,
                             &error));
    CHECK(strstr(answer, "\"kind\":\"analyse\"") && strstr(answer, "\"winnable\""));
    klondike_text_free(answer);
    klondike_solver_free(solver);
}

struct question {
    const KlondikeSolver *solver;
    char *answer;
};

// Ask what takes very long: a shortest solution, proved.
static void *ask(void *asked) {
    struct question *question = asked;
    GOOD(klondike_solver_ask(question->solver,
                             "{\"kind\": \"solve\", \"deal\": \"solvitaire:5\","
                             " \"rules\": \"draw1\", \"goal\": \"shortest\"}",
                             &question->answer, &error));
    return NULL;
}

static void cancel(void) {
    KlondikeLimits limits = {.memory_bytes = 256 << 20};
    KlondikeSolver *solver = NULL;
    KlondikeVerdict verdict = KLONDIKE_VERDICT_WINNABLE;
    GOOD(klondike_solver_new(&limits, &solver, &error));
    struct question question = {solver, NULL};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, ask, &question) == 0);
    GOOD(klondike_solver_cancel(solver, &error));
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(strstr(question.answer, "\"limit\":\"interrupt\""));
    klondike_text_free(question.answer);
    // It stays cancelled.
    KlondikePosition *game = position("standard", "klondike:2312");
    GOOD(klondike_solver_solve(solver, game, &verdict, NULL, &error));
    CHECK(verdict == KLONDIKE_VERDICT_UNDECIDED);
    char *advice = NULL;
    GOOD(klondike_solver_ask(solver, "{\"kind\": \"advise\", \"deal\": \"klondike:3\"}", &advice,
                             &error));
    CHECK(strstr(advice, "\"limit\":\"interrupt\""));
    klondike_text_free(advice);
    klondike_position_free(game);
    klondike_solver_free(solver);
}

// What the threads of `threads` share.
struct shared {
    const KlondikeSolver *solver;
    KlondikePosition *game;
};

static void *use(void *given) {
    struct shared *shared = given;
    for (int i = 0; i < 20; i++) {
        KlondikeVerdict verdict = KLONDIKE_VERDICT_UNDECIDED;
        // Not more draws at a time than there are threads, so each of them is legal.
        GOOD(klondike_position_play_text(shared->game, "draw", &error));
        GOOD(klondike_solver_solve(shared->solver, shared->game, &verdict, NULL, &error));
        CHECK(verdict == KLONDIKE_VERDICT_WINNABLE);
        GOOD(klondike_position_undo(shared->game, NULL, &error));
    }
    return NULL;
}

// Threads share a solver and a position, and so does a child process.
static void threads(void) {
    KlondikeLimits limits = {.threads = 2};
    KlondikeSolver *solver = NULL;
    pthread_t users[4];
    GOOD(klondike_solver_new(&limits, &solver, &error));
    struct shared shared = {solver, position("standard", "klondike:5")};
    char *before = written(shared.game);
    for (int i = 0; i < 4; i++) {
        CHECK(pthread_create(&users[i], NULL, use, &shared) == 0);
    }
    for (int i = 0; i < 4; i++) {
        CHECK(pthread_join(users[i], NULL) == 0);
    }
    char *after = written(shared.game);
    CHECK(strcmp(before, after) == 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        use(&shared);
        _exit(0);
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    klondike_text_free(before);
    klondike_text_free(after);
    klondike_position_free(shared.game);
    klondike_solver_free(solver);
}

int main(void) {
    CHECK(klondike_abi() == KLONDIKE_ABI);
    CHECK(strchr(klondike_version(), '.'));
    CHECK(solve("standard", 10) > 0);
    solve("{\"draw\": 1, \"redeals\": 1}", 1);
    limits();
    largest_limits();
    hints();
    json();
    cancel();
    threads();
    puts("good");
    return 0;
}
