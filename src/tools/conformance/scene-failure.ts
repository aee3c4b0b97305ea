/** A client's breach of a rule: what the scene expected, and what it saw. */
export class SceneFailure extends Error {
  readonly expected: string;
  readonly seen: string;

  constructor(expected: string, seen: string) {
    super(`expected ${expected}; seen: ${seen}`);
    this.expected = expected;
    this.seen = seen;
  }
}
