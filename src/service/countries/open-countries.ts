/** The file of countries by address: read at the start, and again while the service runs, once it has changed. */

import { readFile, stat } from 'node:fs/promises';
import type { CountryOf } from '../../api/http/context.ts';
import { systemClock, type Clock } from '../../registry/registry.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import { lookAt } from '../deployment/config-watch.ts';
import { readCountries } from './read-countries.ts';

/** How often the file is looked at, in ms. It changes every few days. */
export const GEO_LOOK_MS = 3000;

export interface CountriesOptions {
  readonly path: string;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  readonly clock?: Pick<Clock, 'every'>;
  readonly closeLater: (closer: () => Promise<void>) => void;
}

/** Rejects with a UsageError when the file cannot be used. Later a file that cannot be used changes nothing. */
export async function openCountries(options: CountriesOptions): Promise<CountryOf> {
  const { path, logger, clock = systemClock, closeLater } = options;
  let seen = await lookAt(path);
  let read = seen;
  let countryOf = await load(path);
  let looking: Promise<void> | undefined;

  /** A change counts when the file looks the same twice, as it may be written in pieces. */
  async function look(): Promise<void> {
    const now = await lookAt(path);
    const isSettled = now === seen;
    seen = now;
    if (!isSettled || now === read) return;
    read = now;
    try {
      countryOf = await load(path);
      logger.info({ path }, 'the file of countries has changed, and is in effect');
    } catch (error) {
      const reason = (error as Error).message;
      logger.error({ path, reason }, 'the file of countries cannot be used: the one before stays in effect');
    }
  }

  // A file system that hangs is asked once.
  const lookOnce = () => (looking ??= look().finally(() => (looking = undefined)));
  const stop = clock.every(GEO_LOOK_MS, lookOnce);
  closeLater(async () => stop());
  return (ip) => countryOf(ip);
}

async function load(path: string): Promise<CountryOf> {
  try {
    if (!(await stat(path)).isFile()) throw new Error('is no file');
    const countryOf = readCountries(await readFile(path));
    if (countryOf !== undefined) return countryOf;
    throw new Error('is no MaxMind DB with countries by their iso_code, or not a whole one');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`the geo file ${path} ${code === undefined ? '' : 'cannot be read: '}${message}`);
  }
}
