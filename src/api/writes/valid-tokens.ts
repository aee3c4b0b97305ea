/**
 * The tokens that were found valid lately: a game server shows the same one with each ping, and to look it up takes a
 * tenth of the CPU of an HMAC. The size is bounded: with too many tokens, the older half is forgotten.
 */

/** Some 25 MB at the most. */
const MOST_TOKENS = 200_000;

export class ValidTokens {
  readonly #mostTokens: number;
  /** Two generations: to drop a whole one costs nothing, where to drop the oldest tokens one by one would. */
  #young = new Set<string>();
  #old = new Set<string>();
  /** By which the tokens are valid. */
  #secrets: readonly string[] = [];

  constructor(mostTokens = MOST_TOKENS) {
    this.#mostTokens = mostTokens;
  }

  /**
   * Whether the token was found valid by these secrets. The lookup goes by the hash of the whole text, so the time that
   * it takes tells nothing of how much of a guess is right.
   */
  has(token: string, secrets: readonly string[]): boolean {
    if (!isSame(secrets, this.#secrets)) return false;
    return this.#young.has(token) || this.#old.has(token);
  }

  /** Other secrets than before end what was valid. */
  add(token: string, secrets: readonly string[]): void {
    if (!isSame(secrets, this.#secrets)) {
      this.#old = new Set();
      this.#young = new Set();
      this.#secrets = secrets;
    } else if (this.#young.size >= this.#mostTokens / 2) {
      this.#old = this.#young;
      this.#young = new Set();
    }
    this.#young.add(token);
  }

  /** How many tokens are in memory. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each, i) => each === others[i]);
}
