/** The keys that a process knows, and the search for the one that a request carries. guard.ts says what a key opens. */

import { hash, randomBytes } from 'node:crypto';

/** The kinds of requests that a key may send. */
export const SCOPES = ['announce', 'read', 'moderate', 'operate'] as const;
export type Scope = (typeof SCOPES)[number];

export interface Key {
  /** Names the key in audit, log and metrics; undefined for a key of a flag, which none of them names. */
  readonly name?: string;
  /** The SHA-256 of its text in UTF-8, in lower-case hex. */
  readonly sha256: string;
  readonly may: readonly Scope[];
  /** The registries that it is for; undefined for all, later ones too. */
  readonly registries?: readonly string[];
  /** From then on it is no key, in ms since the epoch. */
  readonly until?: number;
}

/** The keys of --key and --admin-key and of their files, as texts. */
export interface FlagKeys {
  readonly authKeys: readonly string[];
  readonly adminKeys: readonly string[];
}

/** The keys of flags: those of --key may do all but moderate, those of --admin-key nothing else. */
export function keysOfFlags({ authKeys, adminKeys }: FlagKeys): Key[] {
  return [
    ...authKeys.map((key): Key => ({ sha256: sha256Of(key), may: ['announce', 'read', 'operate'] })),
    ...adminKeys.map((key): Key => ({ sha256: sha256Of(key), may: ['moderate'] })),
  ];
}

/** The digest of a key under which a Key has it. */
export function sha256Of(key: string | Buffer): string {
  return hash('sha256', key, 'hex');
}

/** The keys in force, which can be replaced at any time. A search costs the same for any number of them. */
export class KeyRing {
  readonly #now: () => number;
  /** Nobody else can tell which digests are neighbours in the map, so the time of a search says nothing of a key. */
  readonly #salt = randomBytes(32).toString('hex');
  /** The keys by their salted digests. Several keys may have the same text. */
  #keys = new Map<string, Key[]>();
  #needed = { toOperate: false, everywhere: false, at: new Set<string>() };

  /** `now`: ms since the epoch. */
  constructor(keys: readonly Key[], now: () => number = Date.now) {
    this.#now = now;
    this.replace(keys);
  }

  replace(keys: readonly Key[]): void {
    this.#keys = new Map();
    for (const key of keys) {
      const digest = this.#salted(key.sha256);
      this.#keys.set(digest, [...(this.#keys.get(digest) ?? []), key]);
    }
    const ofClients = keys.filter(isOfClients);
    this.#needed = {
      toOperate: keys.some(({ may }) => may.some((scope) => scope !== 'moderate')),
      everywhere: ofClients.some(({ registries }) => registries === undefined),
      at: new Set(ofClients.flatMap(({ registries = [] }) => registries)),
    };
  }

  /**
   * Whether requests need a key that announce to the registry or read it; with undefined, those that operate the
   * process. A key that has ended counts: its end must not open what it has closed.
   */
  isNeeded(registry: string | undefined): boolean {
    const { toOperate, everywhere, at } = this.#needed;
    return registry === undefined ? toOperate : everywhere || at.has(registry);
  }

  /**
   * Finds the keys that the header may mean: `Bearer <key>`, the bare key, and `Basic` with the key as password.
   * `takesBasic`: whether Basic counts.
   */
  *find(authorization: string | undefined, takesBasic = true): Generator<Key> {
    if (authorization === undefined) return;
    for (const text of textsIn(authorization, takesBasic))
      for (const key of this.#keys.get(this.#salted(sha256Of(text))) ?? [])
        if (this.#now() < (key.until ?? Infinity)) yield key;
  }

  #salted(sha256: string): string {
    return hash('sha256', this.#salt + sha256, 'base64');
  }
}

/** Whether clients have keys, if there is such a key. Those of --admin-key are beside clients that need none. */
function isOfClients({ name, may }: Key): boolean {
  return may.some(
    (scope) => scope === 'announce' || scope === 'read' || (scope === 'moderate' && name !== undefined),
  );
}

/** The texts in the header that may be a key. Node decodes the bytes of headers as latin1. */
function textsIn(authorization: string, takesBasic: boolean): Buffer[] {
  const bare = Buffer.from(authorization, 'latin1');
  const [, scheme, rest] = /^(bearer|basic) +(.*)$/i.exec(authorization) ?? [];
  if (rest === undefined) return [bare];
  if (scheme!.toLowerCase() === 'bearer') return [Buffer.from(rest, 'latin1'), bare];
  if (!takesBasic) return [bare];
  const credentials = Buffer.from(rest, 'base64');
  return [credentials.subarray(credentials.indexOf(':') + 1), bare];
}
