/** A watched list as lines on standard output, one a change. */

import { printable } from '../log/printable.ts';
import { ChangeLines } from '../terminal/change-lines.ts';
import { stateWords } from '../terminal/state-words.ts';
import type { CommandContext } from './client-command.ts';
import { startFeed, type Watched } from './watched.ts';

/** Resolves never: it ends the process once nobody reads, or a signal asks for it. */
export async function printLines(watched: Watched, { stdout }: CommandContext): Promise<void> {
  const lines = new ChangeLines();
  const print = (all: readonly string[]): void =>
    void (all.length > 0 && stdout.write(`${all.join('\n')}\n`));
  let end!: () => void;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  // A reader that has seen enough, such as head.
  process.stdout.on('error', () => end());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end());
  let wasLive = true;
  const stop = startFeed(watched, {
    onChanges: (changes) => print(lines.take(changes, Date.now())),
    onState(state, cause) {
      const isLive = state.is === 'live';
      if (isLive && wasLive) return;
      wasLive = isLive;
      print([
        `${new Date().toISOString().slice(0, 19)}Z ! ${printable(stateWords(state, Date.now(), cause))}`,
      ]);
    },
  });
  await ended;
  stop();
  process.exit(0);
}
