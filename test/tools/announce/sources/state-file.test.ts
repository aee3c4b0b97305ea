/** A file in which a game server says what it is. */

import { expect } from 'chai';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import type { Reading } from '../../../../src/tools/announce/sources/game-state.ts';
import { createStateFile, type StateFileOptions } from '../../../../src/tools/announce/sources/state-file.ts';
import { makePipe } from '../../../support/make-pipe.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { needs } from '../../../support/needs.ts';
import { until } from '../../../support/until.ts';
import { useDirectory } from '../../../support/use-directory.ts';
import { sourceClock } from './use-peers.ts';

describe('a state file', () => {
  const newPath = useDirectory();
  const forEver = new AbortController().signal;
  let clock: ManualClock;
  let path: string;
  beforeEach(() => {
    clock = new ManualClock();
    path = newPath();
  });

  /** `ageMs`: how long ago, by the clock. */
  function write(text: string | Buffer, ageMs = 0): void {
    writeFileSync(path, text);
    const at = (clock.now() - ageMs) / 1000;
    utimesSync(path, at, at);
  }
  const read = (options: StateFileOptions = {}): Promise<Reading> =>
    createStateFile(path, { clock: sourceClock(clock), ...options }).read(forEver);

  it('is read anew each time', async () => {
    const source = createStateFile(path, { clock: sourceClock(clock) });
    for (const players of [1, 2]) {
      write(JSON.stringify({ players }));
      expect(await source.read(forEver)).to.deep.equal({ is: 'told', state: { players } });
    }
    expect(clock.timers).to.equal(0);
  });

  it('is read again when it is just being written', async () => {
    write('{"players": 3, "ma');
    const reading = read();
    // The time limit, and the pause before the next try.
    await until(() => clock.timers === 2);
    write('{"players": 3, "map": "dm1"}');
    await clock.advance(100);
    expect(await reading).to.deep.equal({ is: 'told', state: { players: 3, map: 'dm1' } });
  });

  it('is unusable when it stays half written, or empty', async () => {
    for (const [text, why] of [
      ['{"players": 3, "ma', 'says no JSON: {"players": 3, "ma'],
      ['', 'says nothing'],
      [Buffer.from([0x22, 0xc3]), 'is not UTF-8'],
    ] as const) {
      write(text);
      const reading = read();
      for (let pause = 0; pause < 4; pause += 1) {
        await until(() => clock.timers === 2);
        await clock.advance(100);
      }
      expect(await reading).to.deep.equal({ is: 'unusable', why: `${path} ${why}` });
    }
  });

  it('is not read again when it says JSON that is wrong', async () => {
    write('{"payers": 3}');
    expect(await read()).to.deep.equal({
      is: 'unusable',
      why: `${path} says an unknown field payers; did you mean players?`,
    });
  });

  it('is silence when nobody has written it for a minute', async () => {
    write('{"players": 3}', 60_000);
    expect((await read()).is).to.equal('told');
    write('{"players": 3}', 75_000);
    expect(await read()).to.deep.equal({
      is: 'silent',
      why: `${path} was last written 75 s ago, and 60 s is the most`,
    });
    expect((await read({ maxAgeMs: 80_000 })).is).to.equal('told');
    expect((await read({ maxAgeMs: Infinity })).is).to.equal('told');
  });

  it('is silence when it is not there', async () => {
    expect(await read()).to.deep.equal({ is: 'silent', why: `there is no file ${path}` });
  });

  it('may not be larger than 64 KiB', async () => {
    write(`{"map": "a"}${' '.repeat(64 * 1024 - 12)}`);
    expect((await read()).is).to.equal('told');
    write(`{"map": "a"}${' '.repeat(64 * 1024 - 11)}`);
    expect(await read()).to.deep.equal({ is: 'unusable', why: `${path} has more than 64 KiB` });
  });

  it('is no folder', async () => {
    mkdirSync(path);
    expect(await read()).to.deep.equal({ is: 'unusable', why: `${path} cannot be read: it is no file` });
    rmSync(path, { recursive: true });
  });

  needs('POSIX', 'mkfifo').it('is no pipe, and a pipe holds nobody up', async () => {
    makePipe(path);
    expect(await read()).to.deep.equal({ is: 'unusable', why: `${path} cannot be read: it is no file` });
  });
});
