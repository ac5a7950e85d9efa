// The shapes that the page shares with its engines. The engine's side is `docs/json.md`.

/**
 * A card is a text such as "7C"; "??" is a card that nobody has seen.
 * @typedef {{ face_down: string[], face_up: string[] }} Pile Both from the bottom up.
 */

/**
 * @typedef {object} Board A position.
 * @property {Pile[]} piles
 * @property {string[]} stock The card drawn first comes first.
 * @property {string[]} waste The playable card comes last.
 * @property {number[]} foundations Highest rank of clubs, diamonds, hearts, spades.
 * @property {number} redeals_used
 * @property {boolean} [last_pass] Whether the last pass by ones has begun.
 * @property {number | null} [double_move] The pile whose top card must go up in the next move.
 */

/**
 * @typedef {object} Move One step of a game, as the engine names it.
 * @property {string} move Its text, such as "7C:W>5".
 * @property {string} card The card that moves, the lowest one of a run. Missing from a turn of the
 * waste, and from a draw in advice to somebody who cannot know the card.
 * @property {number} count
 * @property {string} from "stock", "waste", "foundation" or "tableau 3"
 * @property {string} to
 * @property {boolean} [reversed] Whether the first of several cards drawn lies on top.
 * @property {string} [turns_up] The face-down card that turns up.
 */

/**
 * @typedef {object} Rules
 * @property {number} draw
 * @property {number | "unlimited" | "last-pass-by-ones"} redeals
 * @property {boolean} worrying_back
 * @property {string} runs
 * @property {string} spaces
 * @property {boolean} [reversed_groups] Whether the first card of each draw lies on top.
 * @property {number[]} piles
 * @property {number} suits
 * @property {number} ranks
 */

/** @typedef {"winnable" | "unwinnable" | "undecided"} Verdict */

/**
 * @typedef {Record<string, any> & { kind: string }} Request
 * @typedef {Record<string, any> & { kind: string }} Answer
 */

/**
 * @typedef {object} AskOptions
 * @property {(progress: Answer) => void} [onProgress] Hears also whether the question `waits` for
 * others of its lane.
 * @property {AbortSignal} [signal]
 * @property {Lane} [lane] Questions of one lane wait for each other.
 */

/** @typedef {"quick" | "light" | "long"} Lane */

/**
 * @typedef {object} Engine
 * @property {string} name What answers: "server" or "browser".
 * @property {(request: Request, options?: AskOptions) => Promise<Answer>} ask
 */

export {};
