/** Load shedding by the delays of a timer, by a clock that the test moves. */

import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { DEADLINES } from '../../../../src/runtime/deadlines.ts';
import type { ServiceError } from '../../../../src/model/service-error.ts';
import {
  LoadWatch,
  shedLoad,
  SHEDDABLE_KINDS,
  type SheddableKind,
} from '../../../../src/api/http/limits/load-shedding.ts';
import type { Route } from '../../../../src/api/http/route.ts';
import { aRoute } from '../../../support/a-route.ts';
import { anEndpointRequest } from '../../../support/builders.ts';

const TICK_MS = 100;

const times = (count: number, delayMs: number): number[] => Array.from({ length: count }, () => delayMs);
const endpoint = async (): Promise<string> => 'answered';

/** What comes of a request of the kind while requests of these kinds are shed. */
async function outcomeOf(kind: Route['kind'], sheds: (shed: string) => boolean): Promise<unknown> {
  const [route] = shedLoad([aRoute({ path: '/', kind, endpoint: endpoint as never })], { sheds });
  return route!.endpoint(anEndpointRequest()).catch((error: ServiceError) => error.code);
}

describe('load shedding', () => {
  let now: number;
  let load: LoadWatch;
  let changes: SheddableKind[][];
  beforeEach(() => {
    now = 5000;
    changes = [];
    load = new LoadWatch({ now: () => now, onChange: (shed) => changes.push([...shed]) });
  });

  /** Lets a timer run for each delay, so much later than due. */
  function tick(...delaysMs: readonly number[]): void {
    for (const delayMs of delaysMs) {
      now += TICK_MS + delayMs;
      load.tick();
    }
  }
  const shed = (): SheddableKind[] => SHEDDABLE_KINDS.filter((kind) => load.sheds(kind));

  it('refuses broadcasts first, then lists, and pings last', () => {
    tick(...times(5, 499));
    expect(shed()).to.deep.equal([]);
    tick(...times(5, 500));
    expect(shed()).to.deep.equal(['broadcast']);
    tick(...times(5, 600));
    expect(shed()).to.deep.equal(['broadcast', 'list']);
    tick(...times(5, 800));
    expect(shed()).to.deep.equal(['broadcast', 'list', 'ping']);
  });

  it('begins with the third delay of five', () => {
    tick(0, 600, 0, 600);
    expect(shed()).to.deep.equal([]);
    tick(600);
    expect(shed()).to.deep.equal(['broadcast', 'list']);
  });

  it('ignores a pause of the process and of garbage collection, however long, and the next one', () => {
    tick(0, 0, 60_000, 0, 0, 0, 3000, 3000, 0, 0, 0, 0);
    expect(changes).to.deep.equal([]);
  });

  it('goes on until all delays are below the half, so that it does not flap', () => {
    tick(...times(5, 550));
    for (let n = 0; n < 50; n += 1) tick(0, 300, 0, 550, 100);
    expect(changes).to.deep.equal([['broadcast']]);
    tick(...times(5, 240));
    expect(changes).to.deep.equal([['broadcast'], []]);
    tick(...times(50, 400));
    expect(changes).to.have.length(2);
  });

  it('gives the kinds back in reverse order', () => {
    tick(...times(5, 900));
    tick(...times(5, 350));
    expect(shed()).to.deep.equal(['broadcast', 'list']);
    tick(...times(5, 260));
    expect(shed()).to.deep.equal(['broadcast']);
    tick(...times(5, 0));
    expect(shed()).to.deep.equal([]);
  });

  it('notices real work that keeps the event loop busy, and its end', async () => {
    const eventLoopDelayMs = { broadcast: 100, list: 150, ping: 200 };
    const real = new LoadWatch({ deadlines: { ...DEADLINES, eventLoopDelayMs } });
    const stop = real.start();
    try {
      for (let n = 0; n < 5; n += 1) {
        const end = performance.now() + 210;
        while (performance.now() < end);
        await wait(0);
      }
      expect(real.sheds('broadcast')).to.equal(true);
      for (let n = 0; n < 100 && real.sheds('broadcast'); n += 1) await wait(100);
      expect(real.sheds('broadcast')).to.equal(false);
    } finally {
      stop();
    }
  });

  it('refuses nothing but broadcasts, lists and pings', async () => {
    const kinds = ['broadcast', 'ping', 'remove', 'list', undefined] as const;
    const outcomes = await Promise.all(kinds.map((kind) => outcomeOf(kind, () => true)));
    expect(outcomes).to.deep.equal(['overloaded', 'overloaded', 'answered', 'overloaded', 'answered']);
  });

  it('refuses who tries a join code, or asks the doctor, together with lists', async () => {
    for (const kind of SHEDDABLE_KINDS)
      for (const other of ['join', 'doctor'] as const)
        expect(await outcomeOf(other, (each) => each === kind), kind).to.equal(
          kind === 'list' ? 'overloaded' : 'answered',
        );
  });
});
