/** Whether clients that do the same thing at the same time do the next one at different times. */

import type { AnnounceScene } from './announce-scene.ts';
import type { ReadScene } from './read-scene.ts';
import type { AnswerScript, Span, SpreadScript } from './scene.ts';
import { SceneFailure } from './scene-failure.ts';
import { isWithin } from './span.ts';

const ACCEPT: AnswerScript = { accept: { id: 'A', token: 'A', intervalS: 20 } };
/** The share of the span, at each end, in which a pause must fall. 100 pauses miss one once in 10^9 times. */
const END = 0.2;
/** The share of the pauses that must differ: of 100, some are alike where they are whole ms, as 500 are possible. */
const DISTINCT = 0.7;

export async function playSpread(
  announcing: AnnounceScene,
  reading: ReadScene,
  { of, times, between }: SpreadScript,
): Promise<void> {
  const pauses: number[] = [];
  for (let time = 0; time < times; time += 1) {
    pauses.push(await pauseOf(announcing, reading, of, time));
    if (!isWithin(pauses.at(-1)!, between, false))
      throw new SceneFailure(`pauses from ${between[0]} to ${between[1]} ms`, `one of ${pauses.at(-1)!} ms`);
  }
  checkSpread(pauses, between);
}

/** Measures one pause. The clock stays, but for pings, which follow each other. */
async function pauseOf(
  announcing: AnnounceScene,
  reading: ReadScene,
  of: SpreadScript['of'],
  time: number,
): Promise<number> {
  const { stage } = announcing.exchange;
  const isFailing = of.startsWith('pauses');
  if (of === 'pauses of a watch') {
    reading.begin({ watch: '' });
    await reading.read({ get: '/changes', after: [0, 0], answer: { refuse: 'overloaded' } });
  } else if (of !== 'pings' || time === 0) {
    await announcing.start({});
    const answer: AnswerScript = isFailing ? { refuse: 'overloaded' } : ACCEPT;
    await announcing.write({ request: 'broadcast', after: [0, 0], answer });
  }
  if (of === 'pings') await announcing.write({ request: 'ping', answer: { accept: {} } });
  const pauseMs = (await stage.nextWait('that it waits')) - stage.now;
  if (of !== 'pings') await announcing.stop(isFailing ? {} : { remove: { id: 'A', answer: { accept: {} } } });
  return pauseMs;
}

function checkSpread(pauses: readonly number[], [from, to]: Span): void {
  const margin = END * (to - from);
  const [least, most] = [Math.min(...pauses), Math.max(...pauses)];
  const distinct = new Set(pauses).size;
  if (least > from + margin || most < to - margin || distinct < DISTINCT * pauses.length)
    throw new SceneFailure(
      `${pauses.length} pauses spread over ${from} to ${to} ms`,
      `${distinct} different ones from ${Math.round(least)} to ${Math.round(most)} ms`,
    );
}
