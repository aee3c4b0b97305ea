/** A rule that a client broke. */
export class SceneFailure extends Error {
  readonly expected: string;
  readonly seen: string;

  constructor(expected: string, seen: string) {
    super(`expected ${expected}; seen: ${seen}`);
    this.expected = expected;
    this.seen = seen;
  }
}
