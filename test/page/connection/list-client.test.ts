import { mock } from 'node:test';
import { expect } from 'chai';
import { ListClient } from '../../../src/page/connection/list-client.ts';
import type { FromWorker, ListView, Rows, ToWorker } from '../../../src/page/connection/messages.ts';
import { aServer } from '../worker/support/page-servers.ts';

/** A worker that only notes what it is told. */
class FakeWorker extends EventTarget {
  readonly told: ToWorker[] = [];
  isTerminated = false;

  postMessage(message: ToWorker): void {
    this.told.push(message);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  say(data: FromWorker): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data }));
  }

  fail(): void {
    this.dispatchEvent(new Event('error'));
  }
}

const view: ListView = { filters: '', sort: '-players', ids: undefined, firstRegions: [] };
const hold = (isHeld: boolean): ToWorker => ({ type: 'hold', isHeld });
const range = { start: 0, count: 50 };
const rows: Rows = {
  type: 'rows',
  view,
  start: 0,
  rows: [],
  total: 0,
  matching: 0,
  players: 0,
  listed: 0,
  waiting: 0,
  shift: 0,
};

describe('the list as the page sees it', () => {
  let workers: FakeWorker[];
  let list: ListClient;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
    workers = [];
    const startWorker = (): Worker => {
      workers.push(new FakeWorker());
      return workers.at(-1) as unknown as Worker;
    };
    list = new ListClient(startWorker, { baseUrl: 'http://service.test/', metaKeys: [], view, range });
  });
  afterEach(() => mock.timers.reset());

  it('begins with the view that it is for', () => {
    expect(workers[0]!.told).to.deep.equal([
      { type: 'start', baseUrl: 'http://service.test/', metaKeys: [], view, range },
    ]);
  });

  it('starts a worker that fails anew, and tells it what the page wants now', () => {
    const other = { ...view, filters: 'map=x' };
    list.setRange({ start: 7, count: 50 });
    list.show(other, range);
    list.setRange({ start: 16, count: 50 });
    list.pause(true);
    list.setVisible(false);
    workers[0]!.say(rows);
    workers[0]!.fail();
    expect(workers[0]!.isTerminated).to.equal(true);
    mock.timers.tick(1000);
    expect(workers).to.have.length(2);
    expect(workers[1]!.told).to.deep.equal([
      { type: 'start', baseUrl: 'http://service.test/', metaKeys: [], view, range },
      { type: 'view', view: other, range },
      { type: 'range', range: { start: 16, count: 50 } },
      { type: 'pause', isPaused: true },
      { type: 'visible', isVisible: false },
    ]);
  });

  it('shows what waits, and holds and pauses as before', () => {
    const [worker] = workers;
    const saidBy = (show: () => void): readonly unknown[] => {
      const before = worker!.told.length;
      show();
      return worker!.told.slice(before);
    };
    const shown = [
      { type: 'hold', isHeld: false },
      { type: 'pause', isPaused: false },
    ];
    expect(saidBy(() => list.showWaiting())).to.deep.equal(shown);
    list.hold();
    list.pause(true);
    expect(saidBy(() => list.showWaiting())).to.deep.equal([
      ...shown,
      { type: 'pause', isPaused: true },
      { type: 'hold', isHeld: true },
    ]);
    expect(list.status.isPaused).to.equal(true);
  });

  it('holds until the last one lets go', () => {
    const { told } = workers[0]!;
    const [rowsLetGo, filtersLetGo] = [list.hold(), list.hold()];
    rowsLetGo();
    expect(told.slice(1)).to.deep.equal([hold(true)]);
    filtersLetGo();
    expect(told.slice(1)).to.deep.equal([hold(true), hold(false)]);
    list.hold();
    expect(told.slice(1)).to.deep.equal([hold(true), hold(false), hold(true)]);
  });

  it('gives the answers of the worker to those that asked, in their order', async () => {
    const [first, second] = [list.pick([], true), list.pick(['a'], false)];
    expect(workers[0]!.told.slice(1)).to.deep.equal([
      { type: 'pick', without: [], asksRegion: true },
      { type: 'pick', without: ['a'], asksRegion: false },
    ]);
    workers[0]!.say({ type: 'picked', picked: aServer('a') });
    workers[0]!.say({ type: 'picked', picked: undefined });
    expect([await first, await second]).to.deep.equal([aServer('a'), undefined]);
  });

  it('picks no server where the worker fails, and does not ask the next one', async () => {
    const asked = list.pick([], false);
    workers[0]!.fail();
    expect(await asked).to.equal(undefined);
    mock.timers.tick(1000);
    expect(workers[1]!.told.map(({ type }) => type)).to.deep.equal(['start']);
  });

  it('says that the service is not reached until the new worker has heard of it', () => {
    workers[0]!.say(rows);
    workers[0]!.say({ type: 'state', state: { is: 'live' } });
    workers[0]!.fail();
    const away = { is: 'away', asOf: 1_000_000, retryAt: 1_001_000, reason: 'unreachable' } as const;
    expect(list.status.feed).to.deep.equal(away);
    mock.timers.tick(1000);
    workers[1]!.say({ type: 'state', state: { is: 'live' } });
    expect(list.status.feed).to.deep.equal({ is: 'live' });
  });

  it('waits longer each time, and ten seconds at most', () => {
    for (const pauseMs of [1000, 2000, 4000, 8000, 10_000, 10_000]) {
      workers.at(-1)!.fail();
      const count = workers.length;
      mock.timers.tick(pauseMs - 1);
      expect(workers).to.have.length(count);
      mock.timers.tick(1);
      expect(workers).to.have.length(count + 1);
    }
  });

  it('leaves the plain page of the service as it is while no worker has told of the list', () => {
    workers[0]!.fail();
    expect(list.status.feed).to.deep.equal({ is: 'connecting' });
  });
});
