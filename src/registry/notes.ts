/** The port of notes: short texts that all replicas know for a while, and that may be lost. */

export interface Notes {
  /** Keeps the text under this key, in place of an earlier one. Rejects with a ServiceError `registry_unavailable`. */
  note(key: string, text: string, forMs: number): Promise<void>;
  /** The text; undefined if there is none, or no more. Rejects as note(). */
  noted(key: string): Promise<string | undefined>;
}
