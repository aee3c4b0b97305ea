/**
 * `npm run bench:slow-readers`: many readers who take a long list slowly while it changes,
 * and what memory the service needs meanwhile. The service runs in a process of its own, in memory, with its defaults.
 */

import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { startChurn, startSubject } from '../requests/subject-processes.ts';
import { readOptions } from '../support/options.ts';
import { changedPings } from '../support/requests.ts';

const { readers, count, changes, pace, seconds } = readOptions('bench:slow-readers', {
  readers: [1000, 'at a time; one that has the whole list, or was cut off, asks again'],
  count: [100_000, 'how many game servers are listed'],
  changes: [100, 'a second'],
  pace: [75_000, 'bytes that each reader takes a second'],
  seconds: [300, 'the measurement lasts; the readers come during the first third'],
});

/** How often a reader takes a part of what is due to it. */
const READ_INTERVAL_MS = 500;
const MIB = 2 ** 20;

const subject = await startSubject({ name: 'gsls-memory', count });
const rssAtRest = (await subject.usage()).rssBytes;
const stopChurn = await startChurn(subject.url, changedPings(subject.listed), changes);

let waiting = 0;
let wholeLists = 0;
let cutOffs = 0;
let takenBytes = 0;
const over = new AbortController();

/** Asks for the list, takes it at the pace, and resolves when it is taken, or the reader was cut off. */
async function readSlowly(): Promise<void> {
  const socket = connect(subject.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n');
  waiting += 1;
  let due = 0;
  while (!socket.closed && !over.signal.aborted) {
    await delay(READ_INTERVAL_MS);
    due = Math.min(due + (pace * READ_INTERVAL_MS) / 1000, pace);
    while (due > 0) {
      const part = socket.read() as Buffer | null;
      if (part === null) break;
      due -= part.length;
      takenBytes += part.length;
    }
  }
  waiting -= 1;
  if (socket.readableEnded) wholeLists += 1;
  else if (!over.signal.aborted) cutOffs += 1;
  socket.destroy();
}

async function readAgainAndAgain(): Promise<void> {
  while (!over.signal.aborted) await readSlowly();
}

const startedAt = performance.now();
let peakRss = rssAtRest;
let started = 0;
for (;;) {
  const elapsedS = (performance.now() - startedAt) / 1000;
  if (elapsedS > seconds) break;
  for (; started < Math.min(readers, (readers * 3 * elapsedS) / seconds); started += 1)
    void readAgainAndAgain();
  await delay(500);
  const { rssBytes } = await subject.usage();
  peakRss = Math.max(peakRss, rssBytes);
  process.stderr.write(
    `\r${elapsedS.toFixed(0)} s: ${waiting} readers, RSS ${(rssBytes / MIB).toFixed(0)} MiB, ` +
      `${wholeLists} whole lists, ${cutOffs} cut off   `,
  );
}
over.abort();
await stopChurn();
await subject.stop();
process.stderr.write('\n');
process.stdout.write(
  `${readers} readers of ${count} game servers, ${changes} changes/s, for ${seconds} s:\n` +
    `taken ${(takenBytes / MIB / readers / seconds).toFixed(3)} MiB/s each, ${wholeLists} whole lists, ` +
    `${cutOffs} cut off, RSS at rest ${(rssAtRest / MIB).toFixed(0)} MiB, peak ${(peakRss / MIB).toFixed(0)} MiB\n`,
);
process.exit(0);
