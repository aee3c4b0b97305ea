/** What gsls-client measures, when it does, and what it tells: on a clock of the test. */

import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import type { ServiceAnswer } from '../../../../clients/typescript/src/ask.ts';
import { BeaconWatch } from '../../../../clients/typescript/src/beacons/beacon-watch.ts';
import { beaconsIn, measureBeacons } from '../../../../clients/typescript/src/beacons/measure.ts';
import { nearest } from '../../../../clients/typescript/src/beacons/nearest.ts';
import { MOST_BEACONS, type Beacon } from '../../../../src/model/near.ts';

const HOUR_MS = 3_600_000;
const INTERVAL_MS = 20_000;

const beacon = (id: string): Beacon => ({ id, url: `https://${id}.example.com/`, latency: {} });

/** A world with a clock, in which an answer of a beacon takes as long as the test says. */
class World {
  now = 1_000_000;
  asked: string[] = [];
  /** How long each further request to a beacon takes, by its host; a text is what it answers with instead. */
  takes: Record<string, (number | string)[]> = {};
  timers: { at: number; task: () => void }[] = [];
  init: RequestInit | undefined;

  readonly environment = {
    now: () => this.now,
    elapsed: () => this.now,
    random: () => 0.5,
    after: (ms: number, task: () => void) => {
      const timer = { at: this.now + ms, task };
      this.timers.push(timer);
      return () => void (this.timers = this.timers.filter((each) => each !== timer));
    },
    fetch: async (url: string, init: RequestInit): Promise<Response> => {
      this.asked.push(url);
      this.init = init;
      const next = this.takes[new URL(url).hostname]?.shift() ?? 10;
      if (typeof next === 'string') return new Response(next);
      if (next < 0) throw new TypeError('no way there');
      this.now += next;
      return new Response(null, { status: 204 });
    },
  };

  async pass(ms: number): Promise<void> {
    this.now += ms;
    for (const timer of this.timers.filter(({ at }) => at <= this.now)) {
      this.timers = this.timers.filter((each) => each !== timer);
      timer.task();
    }
    for (let n = 0; n < 200; n += 1) await turn();
  }
}

const told = (mark?: string, status = 200, code?: string): ServiceAnswer =>
  ({
    status,
    code,
    headers: new Headers(mark === undefined ? {} : { 'Server-Beacons': mark }),
  }) as ServiceAnswer;

const lastQuery = ({ asked }: World): string => decodeURIComponent(new URL(asked.at(-1)!).search);

describe('what is measured to a beacon', () => {
  it('is the median of five, after a request that opens the connection', async () => {
    const world = new World();
    world.takes = {
      'fra.example.com': [500, 8, 90, 7, 9, 8.4],
      'nyc.example.com': [200, 80, 80, 80, 80, 80],
    };
    expect(await measureBeacons([beacon('fra'), beacon('nyc')], world.environment)).to.deep.equal({
      fra: 8,
      nyc: 80,
    });
    expect(world.asked).to.have.lengthOf(12);
    expect(world.init)
      .to.include({ credentials: 'omit', redirect: 'manual' })
      .and.not.have.property('headers');
  });

  it('is nothing where one request fails, and no more than two seconds', async () => {
    const world = new World();
    world.takes = { 'a.example.com': [5, 5, -1], 'b.example.com': [9, 9, 'x'.repeat(5000)] };
    world.takes['c.example.com'] = Array.from({ length: 6 }, () => 3000);
    const latency = await measureBeacons(['a', 'b', 'c', 'd'].map(beacon), world.environment);
    expect(latency).to.deep.equal({ c: 2000, d: 10 });
  });

  it('is nothing of what is no beacon, and of no more than sixteen', () => {
    const odd = [
      null,
      7,
      { id: 'fra' },
      { id: 'FRA', url: 'https://a' },
      { id: 'a"b', url: 'https://a' },
      { id: 'x'.repeat(17), url: 'https://a' },
      { id: 'a', url: 'file:///etc/passwd' },
      { id: 'a', url: 'javascript:alert(1)' },
      { id: 'a', url: 'https://user:secret@a' },
      { id: 'a', url: 7 },
    ];
    expect(beaconsIn({ beacons: odd })).to.deep.equal([]);
    expect(beaconsIn({ beacons: 'all' })).to.deep.equal([]);
    expect(beaconsIn({})).to.deep.equal([]);
    const many = Array.from({ length: 20_000 }, (_, n) => beacon(`b${n}`));
    expect(beaconsIn({ beacons: many })).to.have.lengthOf(MOST_BEACONS);
  });
});

describe('the beacons of a service', () => {
  let world: World;
  let watch: BeaconWatch;
  let answer: object;
  let asks: number;

  beforeEach(() => {
    world = new World();
    [answer, asks] = [{ beacons: [beacon('fra')] }, 0];
    watch = new BeaconWatch({
      ask: async () => {
        asks += 1;
        return { status: 200, body: { status: 'success', ...answer } } as unknown as ServiceAnswer;
      },
      environment: world.environment,
    });
  });

  it('are not asked for where the service names none', async () => {
    watch.note(told(), INTERVAL_MS);
    await world.pass(2 * HOUR_MS);
    expect([asks, world.asked.length, watch.latency]).to.deep.equal([0, 0, undefined]);
  });

  it('are measured within a ping interval, and again each hour', async () => {
    watch.note(told('a'), INTERVAL_MS);
    for (let n = 0; n < 5; n += 1) watch.note(told('a'), INTERVAL_MS);
    expect(watch.latency).to.equal(undefined);
    await world.pass(INTERVAL_MS / 2);
    expect([asks, watch.latency]).to.deep.equal([1, { fra: 10 }]);
    world.takes['fra.example.com'] = Array.from({ length: 6 }, () => 33);
    await world.pass(0.9 * HOUR_MS);
    expect(asks).to.equal(1);
    await world.pass(0.2 * HOUR_MS);
    expect([asks, watch.latency]).to.deep.equal([2, { fra: 33 }]);
  });

  it('are measured anew when they are others, and when the address has changed', async () => {
    watch.note(told('a'), INTERVAL_MS);
    await world.pass(INTERVAL_MS);
    answer = { beacons: [beacon('nyc')] };
    watch.note(told('b'), INTERVAL_MS);
    await world.pass(INTERVAL_MS);
    expect(watch.latency).to.deep.equal({ nyc: 10 });
    watch.note(told(undefined, 403, 'ip_mismatch'), INTERVAL_MS);
    watch.note(told(undefined, 503, 'registry_unavailable'), INTERVAL_MS);
    await world.pass(INTERVAL_MS);
    expect(asks).to.equal(3);
  });

  it('are told no more once the service names none', async () => {
    watch.note(told('a'), INTERVAL_MS);
    await world.pass(INTERVAL_MS);
    watch.note(told(), INTERVAL_MS);
    expect(watch.latency).to.deep.equal({});
    await world.pass(2 * HOUR_MS);
    expect(asks).to.equal(1);
  });

  it('are given up where they take for ever', async () => {
    world.environment.fetch = () => new Promise(() => undefined);
    watch.note(told('a'), INTERVAL_MS);
    await world.pass(INTERVAL_MS);
    expect(world.timers).to.have.lengthOf(1);
    await world.pass(HOUR_MS);
    expect([asks, watch.latency, world.timers.length]).to.deep.equal([1, undefined, 0]);
  });

  it('are left alone once it has stopped, whatever it was doing', async () => {
    watch.note(told('a'), INTERVAL_MS);
    watch.stop();
    await world.pass(HOUR_MS);
    expect([asks, world.timers.length]).to.deep.equal([0, 0]);
  });
});

describe('the nearest servers by gsls-client', () => {
  const server = {
    id: 'a',
    host: 'a',
    name: 'a',
    port: 1,
    ip: '192.0.2.1',
    players: 1,
    max_players: 1,
    registered_at: '2026-01-01T00:00:00.000Z',
    near_ms: 20,
  };

  function serviceWith(beacons: readonly Beacon[] | undefined): World {
    const world = new World();
    const measured = world.environment.fetch;
    world.environment.fetch = async (url, init) => {
      const { hostname, pathname } = new URL(url);
      if (hostname !== 'list.example.com') return measured(url, init);
      world.asked.push(url);
      if (pathname.endsWith('/servers'))
        return Response.json({ status: 'success', servers: [server], count: 1, total: 1, next: null });
      return beacons === undefined
        ? Response.json({ status: 'error', error: 'no', code: 'not_found' }, { status: 404 })
        : Response.json({ status: 'success', beacons });
    };
    return world;
  }

  it('are asked for in steps of 5 ms, measured once a day', async () => {
    const world = serviceWith([beacon('fra'), beacon('nyc')]);
    world.takes = { 'fra.example.com': [0, 12, 12, 12, 12, 12], 'nyc.example.com': [0, 83, 83, 83, 83, 83] };
    const { environment } = world;
    const { servers } = await nearest('https://list.example.com/a', 'region=eu&limit=10', { environment });
    expect(servers[0]!.near_ms).to.equal(20);
    expect(lastQuery(world)).to.equal('?near=fra:10,nyc:85&sort=near&region=eu&limit=10');
    await nearest('https://list.example.com/a', '?sort=-players', { environment });
    expect(lastQuery(world)).to.equal('?near=fra:10,nyc:85&sort=-players&limit=1000');
    expect(world.asked.filter((url) => url.endsWith('/beacons'))).to.have.lengthOf(1);
    world.now += 86_400_001;
    await nearest('https://list.example.com/a', '', { environment });
    expect(world.asked.filter((url) => url.endsWith('/beacons'))).to.have.lengthOf(2);
  });

  for (const [what, beacons] of [
    ['names none', undefined],
    ['names none that can be asked', []],
  ] as const)
    it(`come as by find where the service ${what}`, async () => {
      const world = serviceWith(beacons);
      await nearest(`https://list.example.com/${what.length}`, 'region=eu', {
        environment: world.environment,
      });
      expect(lastQuery(world)).to.equal('?region=eu&limit=1000');
    });
});
