/** The list of a protocol as its own clients read it. */

import { expect } from 'chai';
import { gunzipSync } from 'node:zlib';
import type { Answer } from '../../src/api/http/answer.ts';
import { createNativeList } from '../../src/protocols/native-list.ts';
import { MemoryRegistry } from '../../src/registry/memory/memory-registry.ts';
import type { Rope } from '../../src/runtime/bytes/rope.ts';
import { aContext } from '../support/a-context.ts';
import { aGameServer } from '../support/builders.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { lifetime } from '../support/registry-fixture.ts';

const LIFETIME = { ttlMs: 900_000, silentBelowMs: 300_000 };
const CALLER = { address: '192.0.2.1' } as const;

const textOf = ({ body }: Answer): string => (body as Rope).toString();

describe('the native list of a protocol', () => {
  let clock: ManualClock;
  let registry: MemoryRegistry;
  let renderings: string[];
  let ask: (headers?: Record<string, string>) => Promise<Answer>;

  beforeEach(() => {
    clock = new ManualClock();
    registry = new MemoryRegistry({ lifetime, uniqueAddress: false, clock });
    renderings = [];
    const list = createNativeList(
      aContext(registry, {}, () => clock.now()),
      {
        protocol: 'played',
        isReadable: (document) => document !== 'unreadable',
        render(entry, document) {
          renderings.push(entry.id);
          return document === 'hidden' ? undefined : { text: JSON.stringify(document), place: document };
        },
        frame: (entries) => [`{"count":${entries.length},"list":[`, ']}'],
      },
    );
    ask = (headers = {}) => list({ headers, fields: undefined, query: '', client: CALLER });
  });
  afterEach(() => registry.close());

  const announce = (id: string, document: string, protocol = 'played'): Promise<unknown> =>
    registry.nativeEntries.publish(
      id,
      { protocol, lifetime: LIFETIME, link: id, document, describe: () => aGameServer() },
      CALLER,
    );

  it('has the entries of the protocol that can be read, in their order', async () => {
    await registry.broadcast('native', aGameServer());
    await announce('1', 'b');
    await announce('2', 'a');
    await announce('3', 'unreadable');
    await announce('5', 'hidden');
    await announce('4', 'c', 'another');
    expect(textOf(await ask())).to.equal('{"count":2,"list":["a","b"]}');
  });

  it('is told again without a look for half a second, and then with what has changed alone', async () => {
    await announce('1', 'a');
    const first = await ask();
    await announce('2', 'b');
    expect(textOf(await ask())).to.equal(textOf(first));
    await clock.advance(500);
    expect(textOf(await ask())).to.equal('{"count":2,"list":["a","b"]}');
    expect(renderings).to.deep.equal(['1', '2']);
  });

  it('has a tag that stays as long as its bytes do', async () => {
    await announce('1', 'a');
    const { ETag: tag } = (await ask()).headers as { ETag: string };
    await registry.broadcast('native', aGameServer());
    await clock.advance(500);
    expect((await ask({ 'if-none-match': tag })).status).to.equal(304);
    await announce('1', 'b');
    await clock.advance(500);
    expect((await ask({ 'if-none-match': tag })).status).to.equal(200);
  });

  it('comes in gzip to those that take it', async () => {
    for (let n = 0; n < 50; n += 1) await announce(String(n), `${n}`.repeat(200));
    const answer = await ask({ 'accept-encoding': 'gzip' });
    expect(answer.headers['Content-Encoding']).to.equal('gzip');
    expect(gunzipSync((answer.body as Rope).toBuffer()).toString()).to.equal(textOf(await ask()));
  });

  it('keeps an entry as it was while its new document is on its way', async () => {
    await announce('1', 'a');
    await ask();
    const { nativeEntries } = registry;
    const documentOf = nativeEntries.documentOf.bind(nativeEntries);
    nativeEntries.documentOf = () => undefined;
    await announce('1', 'b');
    await clock.advance(500);
    expect(textOf(await ask())).to.equal('{"count":1,"list":["a"]}');
    nativeEntries.documentOf = documentOf;
    await clock.advance(500);
    expect(textOf(await ask())).to.equal('{"count":1,"list":["b"]}');
  });

  it('shows no entry that a moderator took off', async () => {
    await announce('1', 'a');
    await announce('2', 'b');
    await registry.evict('1');
    expect(textOf(await ask())).to.equal('{"count":1,"list":["b"]}');
  });
});
