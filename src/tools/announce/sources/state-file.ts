/**
 * A file in which the game server says what it is: the JSON of parse-state.ts. One that is just being written is read
 * again. A file says nothing of whether the game server still runs, so an old one counts as silence: a game server that
 * crashed leaves its file behind, with a count that would be listed for ever.
 */

import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Reading, Source } from './game-state.ts';
import { MOST_STATE_BYTES, parseState } from './parse-state.ts';
import { aborted, createSource, pause, sourceClock, type SourceLimits } from './source.ts';

export interface StateFileOptions extends Partial<SourceLimits> {
  /** The age at which a file counts as silence. Infinity: its age does not matter. */
  readonly maxAgeMs?: number;
}

/** The age of a file that is too old: some intervals of pings. */
export const STATE_MAX_AGE_MS = 60_000;

const TIMEOUT_MS = 3000;

/** How often a file that is just being written is read, with a pause in between. */
const TRIES = 5;
const PAUSE_MS = 100;

/** A pipe must not hold the reader up. Windows has no such flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

type Look = Reading | { readonly is: 'broken'; readonly why: string };

export function createStateFile(
  path: string,
  { timeoutMs = TIMEOUT_MS, clock = sourceClock, maxAgeMs = STATE_MAX_AGE_MS }: StateFileOptions = {},
): Source {
  const look = async (): Promise<Look> => {
    const file = await open(path, FLAGS);
    try {
      const { mtimeMs, size } = await file.stat().then((stats) => {
        if (!stats.isFile()) throw Object.assign(new Error('it is no file'), { code: 'no file' });
        return stats;
      });
      const ageMs = clock.now() - mtimeMs;
      if (ageMs > maxAgeMs)
        return {
          is: 'silent',
          why: `${path} was last written ${seconds(ageMs)} ago, and ${seconds(maxAgeMs)} is the most`,
        };
      if (size > MOST_STATE_BYTES) return { is: 'unusable', why: `${path} has more than 64 KiB` };
      // If the file grows meanwhile, only its beginning is read: it is just being written.
      const bytes = Buffer.alloc(size);
      const { bytesRead } = await file.read(bytes, 0, size, 0);
      const text = bytes.subarray(0, bytesRead);
      if (!isUtf8(text)) return { is: 'broken', why: 'is not UTF-8' };
      const parsed = parseState(text.toString('utf8'));
      return parsed.is === 'wrong' ? { is: 'unusable', why: `${path} ${parsed.why}` } : parsed;
    } finally {
      await file.close();
    }
  };

  return createSource({ timeoutMs, clock }, async (over) => {
    for (let tries = 1; ; tries += 1) {
      const reading = await Promise.race([
        look().catch((error: NodeJS.ErrnoException) => unreadable(path, error)),
        // The disk of another machine may not answer.
        aborted(over).then((): Reading => ({ is: 'silent', why: `${path} cannot be read in time` })),
      ]);
      if (reading.is !== 'broken') return reading;
      if (tries < TRIES) await pause(clock, PAUSE_MS, over);
      if (tries === TRIES || over.aborted) return { is: 'unusable', why: `${path} ${reading.why}` };
    }
  });
}

function unreadable(path: string, { code, message }: NodeJS.ErrnoException): Reading {
  if (code === 'ENOENT') return { is: 'silent', why: `there is no file ${path}` };
  const reasons: Readonly<Record<string, string>> = {
    EACCES: 'this user may not read it',
    EPERM: 'this user may not read it',
    EISDIR: 'it is no file',
    ENOTDIR: 'a part of its path is no folder',
    'no file': 'it is no file',
  };
  return { is: 'unusable', why: `${path} cannot be read: ${reasons[code ?? ''] ?? code ?? message}` };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
