/** The port of the secret: random text that only the replicas of a registry know, and that stays with it. */

export interface Secret {
  /** Undefined until it is known. */
  readonly text: string | undefined;
}
