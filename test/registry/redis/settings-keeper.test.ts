/** What a replica tells Redis of its settings, while it hears of later ones. Redis is played here. */

import { expect } from 'chai';
import { formatDecisions } from '../../../src/registry/decisions/decisions-document.ts';
import { NO_DECISIONS } from '../../../src/registry/decisions/decisions.ts';
import type { StoredSettings } from '../../../src/registry/redis/scripts/kept-replies.ts';
import { SettingsKeeper } from '../../../src/registry/redis/settings-keeper.ts';
import { aBan } from '../../support/a-ban.ts';

const EARLIER = formatDecisions({ ...NO_DECISIONS, bans: [aBan({ name: 'casino' })] });
const LATER = formatDecisions(NO_DECISIONS);

function stored(version: number, moderation: string): StoredSettings {
  const others = { secret: '1:x', moderationAfter: '' };
  return { ...others, version, moderation, moderationBytes: moderation.length };
}

describe('the settings that a replica keeps', () => {
  it('are not told under the version of a later decision, which came meanwhile', async () => {
    const told: unknown[] = [];
    let reply = Promise.resolve(stored(1, EARLIER));
    const keeper = new SettingsKeeper(
      {
        exchangeSettings({ version, moderation }) {
          if (moderation !== undefined) told.push([version, moderation]);
          return reply;
        },
      },
      {},
    );
    await keeper.follow();

    let answer!: (lost: StoredSettings) => void;
    reply = new Promise((resolve) => (answer = resolve));
    const telling = keeper.tell();
    reply = Promise.resolve(stored(2, LATER));
    await keeper.follow();
    expect([keeper.moderationVersion, told]).to.deep.equal([2, []]);
    answer(stored(0, ''));
    await telling;
    expect(told).to.deep.equal([[1, EARLIER]]);
  });
});
