import type { Need } from '../../support/needs.ts';

/** What the kit has to know of a client in clients/ to judge it. */
export interface JudgedClient {
  /** As people call it. */
  readonly name: string;
  /** The programs that it is built and run with. */
  readonly needs: readonly Need[];
  /**
   * Builds it into this empty folder, if it has to be built. Returns the command that starts its program for the kit.
   * `from`: the folder of the version whose client it is. Defaults to this version.
   */
  readonly build: (into: string, from?: string) => Promise<readonly string[]>;
}
