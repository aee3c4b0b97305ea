/**
 * What stays whatever becomes of the entries, as this replica knows it: the secret of the registry and what moderators
 * have decided. It takes over what is newer in Redis, and tells Redis what that has lost.
 */

import { randomBytes } from 'node:crypto';
import type { ListedGameServer } from '../../model/game-server.ts';
import { parseDecisions } from '../bans/decisions-document.ts';
import { ShownRules } from '../bans/shown-rules.ts';
import type { KnownSettings, Scripts } from './scripts/scripts.ts';

/** What moderators have decided, as it is in Redis. */
interface Decided {
  /** The version of its last change; 0 if there was none. */
  readonly version: number;
  readonly text: string;
}

const SECRET_BYTES = 32;

/** What following brought: `some`: decisions that this replica does not know may lie between its last one and this. */
export type Followed = 'nothing' | 'next' | 'some';

export class SettingsKeeper {
  readonly #scripts: Pick<Scripts, 'exchangeSettings'>;
  /** With the time when it was made. */
  #datedSecret = '';
  #decided: Decided = { version: 0, text: '' };
  #rules: ShownRules;

  /** `hidesUnreached`: see ShownRules. */
  constructor(scripts: Pick<Scripts, 'exchangeSettings'>, hidesUnreached: boolean) {
    this.#scripts = scripts;
    this.#rules = new ShownRules(hidesUnreached);
  }

  /** Undefined until a registry that is whole has one. */
  get secret(): string | undefined {
    return this.#datedSecret === '' ? undefined : this.#datedSecret.split(':')[1];
  }

  get rules(): ShownRules {
    return this.#rules;
  }

  readonly isShown = (entry: ListedGameServer): boolean => this.#rules.isShown(entry);

  /** The version of the last decision that this replica goes by. */
  get moderationVersion(): number {
    return this.#decided.version;
  }

  /** Tells Redis what it does not have, or not as it was, and takes over an older secret. */
  async tell(): Promise<void> {
    const { version, text } = this.#decided;
    const stored = await this.#exchange();
    const isAsKnown = stored.version === version && stored.moderationBytes === Buffer.byteLength(text);
    // A later decision may have been taken over meanwhile: then this one is not that version.
    if (text !== '' && stored.version <= version && !isAsKnown)
      await this.#exchange({ version, moderation: text });
  }

  /**
   * Tells as tell(), and takes over what has been decided since, unless another program has damaged it. Whether entries
   * are shown may change with it: a caller sorts them anew before it makes a list.
   */
  async follow(): Promise<Followed> {
    await this.tell();
    const stored = await this.#exchange({ wantsModeration: true });
    const { version } = this.#decided;
    if (stored.version <= version) return 'nothing';
    const moderation = parseDecisions(stored.moderation);
    if (moderation === undefined) {
      await this.#exchange({ damagedVersion: stored.version });
      return 'nothing';
    }
    this.#decided = { version: stored.version, text: stored.moderation };
    this.#rules = this.#rules.after(moderation);
    return stored.moderationAfter === `${stored.version}:${version}` ? 'next' : 'some';
  }

  async #exchange(
    more: Partial<Pick<KnownSettings, 'version' | 'moderation' | 'wantsModeration' | 'damagedVersion'>> = {},
  ): ReturnType<Scripts['exchangeSettings']> {
    const stored = await this.#scripts.exchangeSettings({
      secret: this.#datedSecret,
      newSecret: randomBytes(SECRET_BYTES).toString('base64url'),
      version: this.#decided.version,
      ...more,
    });
    if (stored.secret !== '') this.#datedSecret = stored.secret;
    return stored;
  }
}
