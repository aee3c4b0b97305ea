import { expect } from 'chai';
import * as fc from 'fast-check';
import type { FromWorker, ListView, Rows } from '../../../src/page/connection/messages.ts';
import type { ListedRow } from '../../../src/model/view/listed-row.ts';
import type { ListedServer } from '../../../src/model/view/listed-server.ts';
import { ListWorker } from '../../../src/page/worker/list-worker.ts';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { runs } from '../../support/runs.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { FakeWorld, type FakeCall } from './support/fake-world.ts';

const WHOLE = { start: 0, count: 1000 };

const aView = fc.record({
  filters: fc.constantFrom(
    '',
    'players=2..',
    'map=a',
    'map!=a',
    'q=b',
    'meta.mod=x',
    'meta.mod=x&players=..2',
  ),
  sort: fc.constantFrom('', '-players', 'players,-name', 'map', '-registered_at', 'name,-free'),
});
const aRange = fc.record({ start: fc.nat({ max: 12 }), count: fc.integer({ min: 1, max: 8 }) });
const someDetails = fc.record({
  players: fc.nat({ max: 4 }),
  map: fc.constantFrom('a', 'b', 'É'),
  meta: fc.constantFrom({ mod: 'x' }, { mod: 'y' }),
});

const aStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('broadcast' as const), details: someDetails, name: fc.constantFrom('a', 'b', 'B b') }) }, // prettier-ignore
  { weight: 6, arbitrary: fc.record({ do: fc.constant('ping' as const), index: fc.nat(), details: someDetails }) }, // prettier-ignore
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), index: fc.nat() }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('tell' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 3000 }) }) }, // prettier-ignore
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cut' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('hold' as const), isOn: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pause' as const), isOn: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('visible' as const), isOn: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('view' as const), view: aView, range: aRange }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('range' as const), range: aRange }) },
);
type Step = typeof aStep extends fc.Arbitrary<infer T> ? T : never;

/** A stream that is silent for so long gives way to polls. */
const POLLS: Step[] = [
  { do: 'broadcast', name: 'a', details: { players: 1, map: 'a', meta: { mod: 'x' } } },
  { do: 'wait', ms: 10_000 },
  { do: 'tell' },
  { do: 'ping', index: 0, details: { players: 2, map: 'b', meta: { mod: 'y' } } },
  { do: 'wait', ms: 2000 },
  { do: 'tell' },
  { do: 'remove', index: 0 },
];

/** A page, and a service that it follows, which are both led step by step. */
class Run {
  readonly world = new FakeWorld();
  readonly messages: FromWorker[] = [];
  /** By id and version. */
  readonly known = new Map<string, ListedRow>();
  readonly #worker = new ListWorker(this.world, (message) => this.#receive(message));
  readonly #service: Service;
  readonly #ids: string[] = [];
  /** What each stream has told. */
  readonly #tags = new Map<FakeCall, string>();
  #view: ListView = { filters: '', sort: '', ids: undefined, firstRegions: [] };
  #order: { readonly ids: string; readonly key: string } | undefined;
  #isFixed = { hold: false, pause: false };

  constructor(service: Service) {
    this.#service = service;
    this.#worker.receive({
      type: 'start',
      baseUrl: 'http://service.test/',
      metaKeys: [],
      view: this.#view,
      range: { start: 0, count: 5 },
    });
  }

  get rows(): Rows {
    return this.messages.findLast((each) => each.type === 'rows')!;
  }

  #receive(message: FromWorker): void {
    this.messages.push(structuredClone(message));
    if (message.type !== 'rows') return;
    for (const row of message.rows) {
      const key = `${row.server.id} ${row.version}`;
      const known = this.known.get(key);
      if (known === undefined) this.known.set(key, structuredClone(row));
      else expect(row, 'a row of an equal version').to.deep.equal(known);
    }
    this.#expectNoMove(message);
  }

  /** While held or paused, the same rows stay in the same places. */
  #expectNoMove({ view, start, rows, total }: Rows): void {
    const key = JSON.stringify([view, start, rows.length, total]);
    const ids = rows.map(({ server }) => server.id).join();
    if ((this.#isFixed.hold || this.#isFixed.pause) && this.#order?.key === key)
      expect(ids, 'rows that are held').to.equal(this.#order.ids);
    this.#order = { ids, key };
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'broadcast': {
        const { name, details } = step;
        const body = aBroadcast({ server_name: name, ...details });
        const answer = await ask(this.#service, 'POST /broadcast', { body });
        this.#ids.push(answer.body.server_id!);
        break;
      }
      case 'ping':
        if (this.#ids.length > 0)
          await ask(this.#service, 'POST /ping', {
            body: { server_id: this.#ids[step.index % this.#ids.length], ...step.details },
          });
        break;
      case 'remove': {
        const [id] = this.#ids.splice(step.index % Math.max(1, this.#ids.length), 1);
        if (id !== undefined) await ask(this.#service, 'POST /remove', { body: { server_id: id } });
        break;
      }
      case 'tell':
        await this.#tell();
        break;
      case 'wait':
        await this.world.advance(step.ms);
        break;
      case 'cut':
        for (const call of this.#tags.keys()) {
          call.fail();
          this.#tags.delete(call);
        }
        break;
      case 'hold':
        this.#isFixed.hold = step.isOn;
        this.#worker.receive({ type: 'hold', isHeld: step.isOn });
        break;
      case 'pause':
        this.#isFixed.pause = step.isOn;
        this.#worker.receive({ type: 'pause', isPaused: step.isOn });
        break;
      case 'visible':
        this.#worker.receive({ type: 'visible', isVisible: step.isOn });
        break;
      case 'view':
        this.#view = { ...step.view, ids: undefined, firstRegions: [] };
        this.#worker.receive({ type: 'view', view: this.#view, range: step.range });
        break;
      case 'range':
        this.#worker.receive({ type: 'range', range: step.range });
    }
    await this.world.settle();
  }

  /** The service answers what it was asked, and tells each stream what has changed. */
  async #tell(): Promise<void> {
    for (const call of this.world.calls) {
      if (call.isAborted || call.isAnswered) continue;
      const { pathname, search, searchParams } = call.url;
      if (pathname === '/servers') call.say((await ask(this.#service, 'GET /servers?limit=1')).text);
      else if (call.accept === 'application/json')
        call.say((await ask(this.#service, `GET /changes${search}`)).text);
      else {
        call.open();
        this.#tags.set(call, searchParams.get('since') ?? '');
      }
    }
    for (const [call, since] of this.#tags) {
      if (call.isAborted) continue;
      const query = new URLSearchParams(call.url.searchParams);
      query.set('since', since);
      const { text } = await ask(this.#service, `GET /changes?${query.toString()}`);
      const { tag } = JSON.parse(text) as { readonly tag: string };
      this.#tags.set(call, tag);
      call.push(`id: ${tag}\nevent: changes\ndata: ${text}\n\n`);
    }
    await this.world.settle();
  }

  /** Ends whatever keeps the page from being up to date. */
  async release(): Promise<void> {
    await this.take({ do: 'hold', isOn: false });
    await this.take({ do: 'pause', isOn: false });
    await this.take({ do: 'visible', isOn: true });
    this.#worker.receive({ type: 'retry' });
    for (let second = 0; second < 8; second += 1) {
      await this.#tell();
      await this.world.advance(1000);
    }
    this.#worker.receive({ type: 'range', range: WHOLE });
  }

  /** What the service shows of the view. */
  async expected(): Promise<readonly ListedServer[]> {
    const { filters, sort } = this.#view;
    const query = [filters, `sort=${sort === '' ? '-players' : sort}`, 'limit=1000'].join('&');
    const { body } = await ask(this.#service, `GET /servers?${query}`);
    return body.servers as unknown as readonly ListedServer[];
  }
}

describe('the page after any sequence of changes, holds, pauses, cuts and views', function () {
  // Each try is a service with dozens of requests.
  this.timeout(120_000);

  it('shows what GET /servers shows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 10, maxLength: 60 }), async (steps) => {
        const service = await startTestService();
        try {
          const run = new Run(service);
          for (const step of steps) await run.take(step);
          await run.release();
          const servers = await run.expected();
          const { rows, total, players, waiting } = run.rows;
          expect(rows.map(({ server }) => server)).to.deep.equal(servers);
          expect({ total, players, waiting }).to.deep.equal({
            total: servers.length,
            players: servers.reduce((sum, server) => sum + server.players, 0),
            waiting: 0,
          });
          for (const row of rows) expect(row).to.deep.include({ changed: [], isNew: false, isGone: false });
          expect(run.messages.findLast(({ type }) => type === 'state')).to.deep.equal({
            type: 'state',
            state: { is: 'live' },
          });
        } finally {
          await service.close();
        }
      }),
      { numRuns: runs(4), examples: [[POLLS]] },
    );
  });
});
