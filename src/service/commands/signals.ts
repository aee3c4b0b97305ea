/** The actions of a service at signals, whether it is one process or several. */

import { isatty } from 'node:tty';
import type { Config } from '../config/config.ts';
import { DRAIN_DELAY_WITH_REDIS_S } from '../config/service-options.ts';

export interface SignalActions {
  /** The first SIGTERM or SIGINT. */
  readonly stop: (signal: NodeJS.Signals) => void;
  /** The second one. */
  readonly stopAtOnce: () => void;
  /** SIGHUP. */
  readonly reload: () => void;
  /** SIGUSR2, which Windows does not have. */
  readonly replaceWorkers: () => void;
}

/** Acts on the signals from now on. */
export function obeySignals({ stop, stopAtOnce, reload, replaceWorkers }: SignalActions): void {
  let isStopping = false;
  const onStop = (signal: NodeJS.Signals): void => {
    if (isStopping) return stopAtOnce();
    isStopping = true;
    stop(signal);
  };
  process.on('SIGTERM', onStop);
  process.on('SIGINT', onStop);
  const isOnTerminal = isatty(0);
  process.on('SIGHUP', () => {
    // The signal also says that the terminal was closed, and then it is no terminal any more.
    if (isOnTerminal && !isatty(0)) onStop('SIGINT');
    else reload();
  });
  if (process.platform !== 'win32') process.on('SIGUSR2', replaceWorkers);
}

/** A worker follows its primary alone: a signal of a terminal, or of systemd, reaches all processes of the service. */
export function ignoreSignals(): void {
  const ignored = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const signal of ignored) process.on(signal, () => undefined);
  if (process.platform !== 'win32') process.on('SIGUSR2', () => undefined);
}

/** How long the service goes on to answer before it stops. */
export function drainDelayMs({ drainDelay, redisAddress }: Config, signal?: NodeJS.Signals): number {
  // SIGINT comes from a terminal, which has no load balancer to wait for.
  if (signal === 'SIGINT') return 0;
  return 1000 * (drainDelay ?? (redisAddress === undefined ? 0 : DRAIN_DELAY_WITH_REDIS_S));
}
