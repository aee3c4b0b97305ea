/**
 * Drives a dialogue over TCP: it sends the question once, and passes on all that has come so far. How much is read is
 * bounded, and how often the dialogue looks at it.
 */

import { connect } from 'node:net';
import type { DialogueAttempt, DialogueOutcome } from './dialogue.ts';

/** The most bytes that are read: more than any reply that a dialogue accepts. */
const MOST_BYTES = 256 * 1024;

const FIRST_BYTES = 4096;

/** Ends within its time limit, or as soon as `over` is aborted. */
export function converseOverTcp({
  dialogue,
  ip,
  port,
  timeoutMs,
  clock,
  over,
}: DialogueAttempt): Promise<DialogueOutcome> {
  return new Promise((resolve) => {
    const socket = connect({ host: ip, port });
    /** Twice as large when it is full: a piece may be a single byte. */
    let room = Buffer.alloc(FIRST_BYTES);
    let length = 0;
    let isOver = false;

    const settle = (outcome: DialogueOutcome): void => {
      if (isOver) return;
      isOver = true;
      stopTimer();
      over.removeEventListener('abort', settleAtEnd);
      socket.destroy();
      resolve(outcome);
    };
    const settleAtEnd = (): void => settle({ is: 'silent', heard: length > 0 });
    const stopTimer = clock.after(timeoutMs, settleAtEnd);

    // An error that comes after the end has no other listener.
    socket.on('error', (error: NodeJS.ErrnoException) => settle({ is: 'failed', code: error.code ?? '' }));
    socket.on('close', () => settle({ is: 'unusable', why: 'closes the connection before it has answered' }));
    socket.once('connect', () => {
      for (const each of dialogue.question) socket.write(each);
    });
    socket.on('data', (bytes) => {
      const needed = length + bytes.length;
      if (needed > room.length) room = Buffer.concat([room], Math.max(needed, 2 * room.length));
      bytes.copy(room, length);
      length = needed;
      const step = dialogue.hear(room.subarray(0, length));
      if (step.is === 'told' || step.is === 'unusable') settle(step);
      else if (length > MOST_BYTES) settle({ is: 'unusable', why: 'answers with more than is read' });
    });
    over.addEventListener('abort', settleAtEnd);
    if (over.aborted) settleAtEnd();
  });
}
