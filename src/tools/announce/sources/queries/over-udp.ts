/**
 * Drives a dialogue over UDP. The socket is connected: the system drops what comes from any other address or port, and
 * reports a port that is closed. What is taken in is bounded, whatever the other side does; how often a question
 * changes is bounded by the dialogue.
 */

import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { GameState } from '../game-state.ts';
import type { DialogueAttempt, DialogueOutcome, DialogueStep } from './dialogue.ts';

/** The most datagrams that are read: a reply in the most parts, twice, and some noise. */
const MOST_DATAGRAMS = 64;

/** How often the question is sent by itself, as a question or its reply may be lost. */
const TRIES = 3;

/** How long a reply that may be bettered waits for the better one, as a part of the time limit. */
const WAIT_FOR_BETTER = 1 / 6;

/** Ends within its time limit, or as soon as `over` is aborted. */
export function converseOverUdp({
  dialogue,
  ip,
  port,
  timeoutMs,
  clock,
  over,
}: DialogueAttempt): Promise<DialogueOutcome> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(ip) ? 'udp6' : 'udp4');
    const timers: (() => void)[] = [];
    let datagrams = 0;
    let isOver = false;
    let enough: GameState | undefined;

    const settle = (outcome: DialogueOutcome): void => {
      if (isOver) return;
      isOver = true;
      for (const stop of timers) stop();
      over.removeEventListener('abort', settleAtEnd);
      socket.close();
      resolve(outcome);
    };
    const settleAtEnd = (): void =>
      settle(enough === undefined ? { is: 'silent', heard: datagrams > 0 } : { is: 'told', state: enough });
    const fail = ({ code = '' }: NodeJS.ErrnoException): void => {
      if (enough === undefined) settle({ is: 'failed', code });
    };
    const ask = (): void => {
      if (isOver) return;
      for (const each of dialogue.question) socket.send(each, (error) => error && fail(error));
    };
    const take = (step: DialogueStep): void => {
      if (step.is === 'told' || step.is === 'unusable') settle(step);
      else if (step.is === 'ask') ask();
      else if (step.is === 'enough') {
        if (enough === undefined) timers.push(clock.after(timeoutMs * WAIT_FOR_BETTER, settleAtEnd));
        enough = step.state;
      }
    };

    socket.on('error', fail);
    socket.on('message', (datagram) => {
      if (isOver) return;
      datagrams += 1;
      take(dialogue.hear(datagram));
      if (datagrams === MOST_DATAGRAMS) settleAtEnd();
    });
    socket.once('connect', () => {
      ask();
      for (let next = 1; next < TRIES; next += 1) timers.push(clock.after((timeoutMs * next) / TRIES, ask));
    });
    timers.push(clock.after(timeoutMs, settleAtEnd));
    over.addEventListener('abort', settleAtEnd);
    if (over.aborted) settleAtEnd();
    else socket.connect(port, ip);
  });
}
