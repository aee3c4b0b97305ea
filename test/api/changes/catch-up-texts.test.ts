import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { CatchUpTexts } from '../../../src/api/changes/catch-up-texts.ts';
import { parseChangesQuery } from '../../../src/api/changes/wanted-list.ts';
import { Turns } from '../../../src/api/work/turns.ts';
import { OWN } from '../../../src/api/work/work.ts';
import type { ListedGameServer } from '../../../src/model/game-server.ts';
import { SnapshotBuilder } from '../../../src/registry/snapshot/snapshot-builder.ts';
import { anEntry } from '../../support/builders.ts';

const { wanted } = parseChangesQuery('');
const turns = new Turns();
const HISTORY = { epoch: 'e', history: 'h' };

function texts(): CatchUpTexts {
  return new CatchUpTexts(turns, (members, { version }) => members.between(`${version}: {`, '}'));
}

describe('the text that leads a client to a list', () => {
  const builder = new SnapshotBuilder<ListedGameServer>();
  for (let n = 1; n <= 1000; n += 1) builder.set(anEntry({ id: `id-${n}`, registeredVersion: n }));
  const snapshot = builder.build({ ...HISTORY, version: 1000 });

  it('is one for all clients of the same position and filters, with its bytes and its compressed form', async () => {
    const all = texts();
    const [first, second] = await Promise.all([0, 1].map(() => all.to(snapshot, undefined, wanted, OWN)));
    expect(first!.text).to.equal(second!.text);
    expect(first!.text.plain).to.equal(second!.text.plain);
    expect(await first!.text.compressed(turns, OWN)).to.equal(await second!.text.compressed(turns, OWN));
    const other = await all.to(snapshot, { history: 'h', version: 999 }, wanted, OWN);
    expect(other.text.plain.toString()).to.match(/^1000: \{"servers":\[\{"id":"id-1000",.*"full":false,/);
    expect(await all.to(snapshot, { history: 'h', version: 1000 }, wanted, OWN)).to.include({
      isEmpty: true,
    });
  });

  it('says the same plain and compressed', async () => {
    const { text } = await texts().to(snapshot, undefined, wanted, OWN);
    const plain = text.plain.toString();
    expect(plain).to.include('"id":"id-1"').and.to.include('"id":"id-1000"');
    expect(gunzipSync((await text.gzip(turns, OWN)).toBuffer()).toString()).to.equal(plain);
    expect(text.length).to.equal(Buffer.byteLength(plain));
  });
});
