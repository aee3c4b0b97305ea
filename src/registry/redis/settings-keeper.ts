/**
 * The settings of the registry as this replica knows them: its secret, and the decisions of moderators. The keeper
 * adopts what is newer in Redis, and writes back what Redis has lost.
 *
 * The secret is made only where no replica can know another: in a registry that is whole and has none. Of two secrets
 * the older one holds, so all replicas end with the same. A reset keeps it: it empties the list, and disowns no game
 * server.
 */

import { randomBytes } from 'node:crypto';
import { lacksLabels, parseDecisions } from '../decisions/decisions-document.ts';
import { ShownRules, type LookRules } from '../decisions/shown-rules.ts';
import type { Appearance } from '../snapshot/row.ts';
import type { KnownSettings, Scripts } from './scripts/scripts.ts';

/** The decisions of moderators, as Redis has them. */
interface Decided {
  /** The version of its last change; 0 if there was none. */
  readonly version: number;
  readonly text: string;
}

const SECRET_BYTES = 32;

/** The result of follow(). `some`: unknown decisions may lie between the last one of this replica and the new one. */
export type Followed = 'nothing' | 'next' | 'some';

export class SettingsKeeper {
  readonly #scripts: Pick<Scripts, 'exchangeSettings'>;
  /** The time of its creation in ms, a colon, and the secret. */
  #datedSecret = '';
  #decided: Decided = { version: 0, text: '' };
  #rules: ShownRules;

  constructor(scripts: Pick<Scripts, 'exchangeSettings'>, rules: LookRules) {
    this.#scripts = scripts;
    this.#rules = new ShownRules(rules);
  }

  /** The secret; undefined until a registry that is whole has one. */
  get secret(): string | undefined {
    return this.#datedSecret === '' ? undefined : this.#datedSecret.split(':')[1];
  }

  get rules(): ShownRules {
    return this.#rules;
  }

  /** Returns how entries are shown now. */
  readonly appearance = (): Appearance => this.#rules;

  /** The version of the last decision that this replica goes by. */
  get moderationVersion(): number {
    return this.#decided.version;
  }

  /** Whether a release before 0.21 has decided last, and its text lacks labels that this replica knows. */
  get lacksLabels(): boolean {
    return this.#rules.decided.labels.length > 0 && lacksLabels(this.#decided.text);
  }

  /** Writes to Redis what it lost or has damaged, and adopts an older secret from it. */
  async tell(): Promise<void> {
    const { version, text } = this.#decided;
    const stored = await this.#exchange();
    const isAsKnown = stored.version === version && stored.moderationBytes === Buffer.byteLength(text);
    // follow() may have adopted a later decision meanwhile: `version` has to be that of `text`.
    if (text !== '' && stored.version <= version && !isAsKnown)
      await this.#exchange({ version, moderation: text });
  }

  /**
   * Calls tell(), and adopts what has been decided since, unless another program has damaged it. This may change which
   * entries are shown: the caller reconsiders them before it builds a list.
   */
  async follow(): Promise<Followed> {
    await this.tell();
    const stored = await this.#exchange({ wantsModeration: true });
    const { version } = this.#decided;
    if (stored.version <= version) return 'nothing';
    const moderation = parseDecisions(stored.moderation, this.#rules.decided);
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
