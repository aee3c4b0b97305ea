/** A log whose output takes nothing, or not all: which lines are lost, and what is said of them, in each format. */

import { expect } from 'chai';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLog, type Log, type LogOptions } from '../../../src/runtime/log/log.ts';
import { NamedPipe } from '../../support/named-pipe.ts';
import { needs } from '../../support/needs.ts';
import { until } from '../../support/until.ts';
import { useDirectory } from '../../support/use-directory.ts';

/** So many lines of that length fill every buffer. */
const MANY = 800;
const LONG = 'x'.repeat(7000);

/** How many lines the log says are missing, in one place. */
function missingIn(text: string): number {
  const counts = [...text.matchAll(/"?count"?: ?(\d+)\b/g)].map(([, count]) => Number(count));
  expect(counts).to.have.lengthOf(1);
  return counts[0]!;
}

const linesIn = (text: string): number => text.match(/xxx"?\}?$/gm)?.length ?? 0;

const logTo = (output: LogOptions['output'], format: LogOptions['format']): Promise<Log> =>
  createLog({ level: 'info', format, output });

/** In pieces, between which the log can write. */
async function logMany({ logger }: Log, count = MANY): Promise<void> {
  for (let n = 1; n <= count; n += 1) {
    logger.info({}, LONG);
    if (n % 100 === 0) await nextTurn();
  }
}

needs('mkfifo').describe('a log', () => {
  const newPath = useDirectory();
  const open: (() => void)[] = [];
  afterEach(() => {
    for (const close of open.splice(0).toReversed()) close();
  });

  /** To a pipe, as the standard output of a process is one. */
  async function logToPipe(format: LogOptions['format']): Promise<{ log: Log; pipe: NamedPipe }> {
    const pipe = new NamedPipe(newPath());
    const fd = openSync(pipe.path, 'w');
    const socket = new Socket({ fd, readable: false, writable: true });
    socket.on('error', () => undefined);
    open.push(
      () => pipe.close(),
      () => socket.destroy(),
    );
    return { log: await logTo(Object.assign(socket, { fd, isTTY: false }), format), pipe };
  }

  function logToFile(path: string, format: LogOptions['format']): Promise<Log> {
    const fd = openSync(path, 'w');
    open.push(() => closeSync(fd));
    return logTo(Object.assign(new Writable(), { fd, isTTY: false }), format);
  }

  for (const format of ['json', 'pretty'] as const) {
    it(`in ${format} that no program reads loses lines, and says how many once it is read`, async () => {
      const { log, pipe } = await logToPipe(format);
      await logMany(log);
      const dropped = log.droppedLines();
      expect(dropped).to.be.within(1, MANY - 1);
      await until(() => pipe.read().includes('log lines were dropped here'));
      log.logger.info({}, 'the last line');
      await until(() => /the last line"?\}?\n$/.test(pipe.read()));
      expect(linesIn(pipe.read())).to.equal(MANY - dropped);
      expect(missingIn(pipe.read())).to.equal(dropped);
    });

    it(`in ${format} that is read or stored has every line`, async () => {
      const path = newPath();
      const { log, pipe } = await logToPipe(format);
      for (const [each, read] of [
        [log, () => pipe.read()],
        [await logToFile(path, format), () => readFileSync(path, 'utf8')],
      ] as const) {
        // All of it fits into the buffer, so that a slow reader on a busy machine loses nothing.
        await logMany(each, 300);
        await until(() => linesIn(read()) === 300);
        expect(each.droppedLines()).to.equal(0);
      }
    });
  }
});
