/**
 * The tokens that were recently found valid: a game server sends the same one with each ping, and a lookup takes a
 * tenth of the CPU time of an HMAC. The size is bounded: with too many tokens, the older half is forgotten.
 */

/** How many tokens are kept, which is some 25 MB. */
const MOST_TOKENS = 200_000;

export class ValidTokens {
  readonly #mostTokens: number;
  /** Two generations of tokens: a whole generation is dropped at no cost, unlike the oldest tokens one by one. */
  #young = new Set<string>();
  #old = new Set<string>();
  /** The secrets by which the tokens are valid. */
  #secrets: readonly string[] = [];

  constructor(mostTokens = MOST_TOKENS) {
    this.#mostTokens = mostTokens;
  }

  /**
   * Whether the token was found valid by these secrets. The lookup goes by the hash of the whole text, so that its time
   * does not reveal how much of a guess is right.
   */
  has(token: string, secrets: readonly string[]): boolean {
    if (!isSame(secrets, this.#secrets)) return false;
    return this.#young.has(token) || this.#old.has(token);
  }

  /** Adds a token. If the secrets are others than before, all earlier tokens are forgotten. */
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
