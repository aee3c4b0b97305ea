/**
 * No request goes through the list beside the scheduler, nor through more than a chunk of it at once: each time that an
 * entry is looked at is noted, with whether the scheduler had given a turn for it. A route that is new needs a request
 * here.
 */

import { expect } from 'chai';
import { formatTag } from '../../../src/api/changes/tag.ts';
import { Turns } from '../../../src/api/work/turns.ts';
import type { Asker, Shared, Work } from '../../../src/api/work/work.ts';
import { deriveGameServerId } from '../../../src/model/game-server.ts';
import type { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import { ask } from '../../support/ask.ts';
import { aGameServer, broadcastTo } from '../../support/builders.ts';
import { listenerWith, type Described } from '../../support/described-service.ts';
import { ADMIN_KEY } from '../../support/moderated-registry.ts';

const ENTRIES = 5000;
/** A chunk is no longer; a page of a hundred sorts no more. */
const MOST_AT_ONCE = 512;
/** An answer about one entry looks at it alone. */
const MOST_BESIDE = 2;

/** The entries that were looked at: within the present step of work, and beside all work. */
class Looks {
  readonly #step = new Set<object>();
  readonly #beside = new Set<object>();
  #isWithin = false;
  #mostAtOnce = 0;

  /** From now on it is noted whenever one of these properties of the entry is read. */
  watch(entry: object): void {
    for (const name of ['id', 'name', 'players', 'version', 'registeredVersion']) {
      const value: unknown = Reflect.get(entry, name);
      const get = (): unknown => {
        (this.#isWithin ? this.#step : this.#beside).add(entry);
        return value;
      };
      Object.defineProperty(entry, name, { get, enumerable: true });
    }
  }

  within<T>(step: () => T): T {
    this.#isWithin = true;
    try {
      return step();
    } finally {
      this.#isWithin = false;
      this.#mostAtOnce = Math.max(this.#mostAtOnce, this.#step.size);
      this.#step.clear();
    }
  }

  /** What there was since the last call. */
  take(): { readonly mostAtOnce: number; readonly beside: number } {
    const taken = { mostAtOnce: this.#mostAtOnce, beside: this.#beside.size };
    this.#beside.clear();
    this.#mostAtOnce = 0;
    return taken;
  }
}

class WatchedTurns extends Turns {
  readonly #looks: Looks;

  constructor(looks: Looks) {
    super({ mostWaitMs: Infinity });
    this.#looks = looks;
  }

  override share<T>(asker: Asker, begin: () => Work<T>): Shared<T> {
    const looks = this.#looks;
    return super.share(asker, function* () {
      const work = looks.within(begin);
      let step = looks.within(() => work.next());
      while (step.done !== true) {
        const value: unknown = yield step.value;
        step = looks.within(() => work.next(value));
      }
      return step.value;
    });
  }
}

describe('a request that has to go through the list', () => {
  const looks = new Looks();
  const key = { Authorization: `Bearer ${ADMIN_KEY}` };
  let described: Described;
  let id: string;
  let tag: string;

  async function fill(registry: MemoryRegistry): Promise<void> {
    id = await broadcastTo(registry, aGameServer({ name: 'the first' }));
    tag = formatTag((await registry.list()).snapshot);
    for (let n = 1; n < ENTRIES; n += 1) {
      const gameServer = aGameServer({ name: `number ${n}`, players: n % 16 });
      await registry.broadcast(deriveGameServerId(`key ${n}`, gameServer), gameServer);
    }
    // The list itself is made once, whoever asks for it: beside the scheduler, and before anything is noted.
    const { snapshot } = await registry.list();
    await snapshot.encode('identity');
    await snapshot.encode('gzip');
    for (const entry of await registry.entries()) looks.watch(entry);
  }

  before(async () => {
    // Histories of game servers look at all entries themselves, once a minute.
    described = await listenerWith(async (registry) => {
      await fill(registry);
      return { turns: new WatchedTurns(looks) };
    }, 0)();
  });
  after(() => described.close());

  /** Of each operation that reads: what it is asked for, and whether that takes going through the list. */
  const requests = (): Readonly<
    Record<string, readonly (readonly [target: string, goesThrough: boolean])[]>
  > => ({
    'GET /': [['/', false]],
    'GET /servers': [
      ['/servers?name!=x&sort=-players,name&limit=100&include=meta', true],
      ['/servers?name!=x&sort=-players,name&limit=100&include=meta', false],
      ['/servers?q=number&limit=100', true],
    ],
    'GET /servers/{id}': [[`/servers/${id}`, false]],
    'GET /servers/{id}/badge.svg': [[`/servers/${id}/badge.svg`, false]],
    'GET /join/{code}': [['/join/00000000', false]],
    'GET /stats': [
      ['/stats?name!=x', true],
      ['/stats?name!=x', false],
    ],
    'GET /changes': [
      ['/changes?name!=x', true],
      ['/changes?name!=x', false],
      ['/changes', true],
      [`/changes?since=${tag}&name!=x`, true],
    ],
    'GET /history': [['/history', false]],
    'GET /browse': [['/browse?name!=y', true]],
    'GET /browse/{file}': [
      ['/browse/none.js', false],
      // A page of one entry takes as long to make as some lists.
      [`/browse/${id}`, true],
    ],
    'GET /health': [['/health', false]],
    'GET /metrics': [['/metrics', false]],
    'GET /openapi.json': [['/openapi.json', false]],
    'GET /docs': [['/docs', false]],
    'GET /docs/{file}': [['/docs/none', false]],
    'GET /desk': [['/desk', false]],
    'GET /desk/{file}': [['/desk/none.js', false]],
    'GET /admin/me': [['/admin/me', false]],
    'GET /admin/bans': [['/admin/bans', false]],
    'GET /admin/labels': [['/admin/labels', false]],
    'GET /admin/reports': [['/admin/reports', false]],
    'GET /admin/servers/{id}': [[`/admin/servers/${id}`, true]],
    'GET /admin/audit': [['/admin/audit', false]],
    'GET /admin/servers': [['/admin/servers?limit=100', true]],
  });

  it('is known here for every operation that reads', () => {
    const operations = [...described.description.operations.keys()].filter((name) => name.startsWith('GET '));
    const reading = operations.filter((name) => name !== 'GET /ping');
    expect(Object.keys(requests()).toSorted()).to.deep.equal(reading.toSorted());
  });

  it('does so in turns alone, a chunk at a time', async () => {
    for (const [target, goesThrough] of Object.values(requests()).flat())
      for (const encoding of ['gzip', 'identity']) {
        looks.take();
        await ask(described.service, `GET ${target}`, { headers: { ...key, 'Accept-Encoding': encoding } });
        const { mostAtOnce, beside } = looks.take();
        expect(beside, target).to.be.at.most(MOST_BESIDE);
        expect(mostAtOnce, target).to.be.at.most(MOST_AT_ONCE);
        // Else nothing would be noted at all. The second time it is known.
        if (goesThrough && encoding === 'gzip') expect(mostAtOnce, target).to.be.above(0);
      }
  });

  it('does so in turns as a stream, too', async () => {
    const leaving = new AbortController();
    looks.take();
    const { body } = await fetch(`${described.service.url}/changes?name!=z`, {
      headers: { Accept: 'text/event-stream' },
      signal: leaving.signal,
    });
    let text = '';
    for await (const part of body!.pipeThrough(new TextDecoderStream()))
      if ((text += part).includes('"tag"')) break;
    leaving.abort();
    const { mostAtOnce, beside } = looks.take();
    expect([beside, mostAtOnce > 0, mostAtOnce <= MOST_AT_ONCE]).to.deep.equal([0, true, true]);
  });

  it('does so in turns for a moderator who bans, labels or asks what a rule would match', async () => {
    for (const [what, body] of [
      ['POST /admin/bans', { name: 'nobody*', reason: 'spam' }],
      ['POST /admin/labels', { name: 'nobody*', label: 'official' }],
      ['POST /admin/preview', { name: 'nobody*' }],
    ] as const) {
      looks.take();
      await ask(described.service, what, { body, headers: key });
      const { mostAtOnce } = looks.take();
      expect(mostAtOnce, what).to.be.within(1, MOST_AT_ONCE);
    }
  });
});
