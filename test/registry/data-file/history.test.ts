/** The history of a registry with a data file. */

import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Backend } from '../../../src/registry/backend.ts';
import { aGameServer, broadcastTo } from '../../support/builders.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { complaintAbout, HEADER, useDataFiles } from '../../support/use-data-files.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The lines that hold the history, parsed. */
function historyIn(path: string): { is: string; id: string; points: number[][] }[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line.includes('"id":"history-')).map((line) => JSON.parse(line));
}

async function bothOf(registry: Backend): Promise<unknown> {
  return { minute: await registry.history.points('minute'), hour: await registry.history.points('hour') };
}

describe('the history in a data file', () => {
  const { newPath, openAt, openAfterCrash } = useDataFiles();

  it('is the same after a crash and after a stop, and goes on', async () => {
    const clock = new ManualClock();
    const path = newPath();
    const registry = await openAt(path, { clock });
    await clock.advance(130 * MINUTE_MS);
    // What is acknowledged is in the file, with all that came before it.
    await broadcastTo(registry, aGameServer());
    const before = await bothOf(registry);
    const minutes = await registry.history.points('minute');
    expect([minutes.length, (await registry.history.points('hour')).length]).to.deep.equal([130, 2]);
    const crashed = await openAfterCrash(path, { clock });
    expect(await bothOf(crashed)).to.deep.equal(before);
    await registry.close();
    const stopped = await openAt(path, { clock });
    expect(await bothOf(stopped)).to.deep.equal(before);
    await clock.advance(MINUTE_MS);
    expect((await stopped.history.points('minute')).slice(0, -1)).to.deep.equal(minutes);
  });

  it('is in blocks of 60 points, of which the last line counts', async () => {
    const clock = new ManualClock();
    const path = newPath();
    const registry = await openAt(path, { clock });
    await clock.advance(61 * MINUTE_MS);
    await registry.list();
    await registry.close();
    const [hour, first, second, ...rest] = historyIn(path);
    const number = clock.now() / HOUR_MS;
    expect(rest).to.deep.equal([]);
    expect([hour, first, second].map((each) => each!.id)).to.deep.equal([
      `history-hour-${Math.floor(number / 60)}`,
      `history-minute-${Math.floor(number) - 1}`,
      `history-minute-${Math.floor(number)}`,
    ]);
    expect([hour, first, second].map((each) => each!.points.length)).to.deep.equal([1, 60, 1]);
  });

  it('is a tombstone of no game server to an older release', async () => {
    const clock = new ManualClock();
    const path = newPath();
    const registry = await openAt(path, { clock });
    await clock.advance(2 * MINUTE_MS);
    await registry.close();
    for (const line of historyIn(path)) expect(line).to.include({ is: 'left' });
  });

  it('has no points that lie more than a day ahead, once the clock is right', async () => {
    const clock = new ManualClock();
    const path = newPath();
    await writeFile(
      path,
      `${HEADER}{"is":"left","id":"history-minute-1","points":[[${clock.now() + 10 * 365 * 24 * HOUR_MS},1,1,1]]}\n`,
    );
    const registry = await openAt(path, { clock });
    await clock.advance(MINUTE_MS);
    expect(await registry.history.points('minute')).to.have.length(1);
  });

  for (const [what, points] of Object.entries({
    'points that are no list': '7',
    'a point with too few numbers': '[[60000,1,1]]',
    'a negative number': '[[60000,-1,1,1]]',
    'a time between two minutes': '[[60001,1,1,1]]',
  })) {
    it(`is refused with ${what}`, async () => {
      const path = newPath();
      await writeFile(path, `${HEADER}{"is":"left","id":"history-minute-1","points":${points}}\n`);
      expect(await complaintAbout(path)).to.include('line 2 of it is damaged');
    });
  }
});
