/** The lines of the log about events of a registry and of its data file. Opens nothing. */

import type { Logger } from '../runtime/log/logger.ts';
import type { AddressMask } from '../model/net/address-mask.ts';
import type { DataFileEvents } from '../registry/data-file/data-file.ts';
import type { FollowerEvents, ReloadReason } from '../registry/redis/events.ts';
import type { LeftReason, ListedReason, ToldEntry } from '../registry/registry.ts';

/** Why the list is loaded anew, in words. `empty` and `emptied` are for `epoch` where replicas write back. */
const RELOADS: Readonly<Record<ReloadReason | 'empty' | 'emptied', string>> = {
  empty: 'Redis is empty: the list goes on from memory and is written back',
  emptied:
    'Redis was emptied, or holds another registry: the list goes on from memory, and what Redis lacks is written back',
  epoch: 'Redis has lost the registry, or holds another one: loading the list anew',
  rollback: 'Redis has gone back to an earlier state: loading the list anew',
  digest: 'Redis and this replica hold different lists: loading the list anew',
  floor: 'this replica has missed more removals than Redis remembers: loading the list anew',
  reset: 'the registry was reset: loading the list anew',
  damage: 'another program has written to the keys of the registry: loading the list anew',
};

const MOST_LOGGED_IDS = 20;

/** `writesBack`: whether the replicas give back what Redis has lost. */
export function createRegistryLog(
  logger: Logger,
  maskAddress: AddressMask = (address) => address,
  writesBack = true,
): Omit<FollowerEvents, 'onChanges' | 'onLoss'> {
  const tellListed = (entry: ToldEntry, why: ListedReason | 'restored'): void =>
    logger.debug({ ...about(entry), why }, 'a game server is listed');
  const tellLeft = (entry: ToldEntry, why: LeftReason | 'expired'): void =>
    logger.debug({ ...about(entry), why }, 'a game server has left');
  const about = ({ id, ip, port }: ToldEntry): object => ({
    id,
    ip: ip === undefined ? undefined : maskAddress(ip),
    port,
  });
  let heldAt = 0;
  return {
    onListed: tellListed,
    onLeft: tellLeft,
    onExpired(entries) {
      const ids = entries.slice(0, MOST_LOGGED_IDS).map(({ id }) => id);
      logger.info({ count: entries.length, ids }, 'game servers expired');
      for (const entry of entries) tellLeft(entry, 'expired');
    },
    onExpiryHeld(silence) {
      heldAt = performance.now();
      logger.error(
        silence,
        'most game servers stopped pinging at the same time, so none of them expires for now: check the network between them and GSLS',
      );
    },
    onExpiryReleased: () =>
      logger.warn(
        { heldMs: msSince(heldAt) },
        'the hold of the mass expiry is over: game servers expire again',
      ),
    onHistoriesFull: (most) =>
      logger.warn(
        { most },
        'further game servers get no history of their own: as many are kept as --server-history-most allows',
      ),
    onReload(reason, count) {
      const why = reason === 'epoch' && writesBack ? (count === 0 ? 'empty' : 'emptied') : reason;
      (reason === 'reset' ? logger.info : logger.warn).call(logger, { reason }, RELOADS[why]);
    },
    onWrongType: (key) =>
      logger.error(
        { key },
        'deleted a key of the registry that had another type: no other program may write to these keys',
      ),
    onRestored(entries) {
      logger.warn(
        { count: entries.length },
        'Redis had lost game servers: listed them again from the copy of this replica',
      );
      for (const entry of entries) tellListed(entry, 'restored');
    },
  };
}

export function createDataFileLog(logger: Logger, path: string): DataFileEvents {
  let unwritableAt = 0;
  return {
    onTornLine: () =>
      logger.warn(
        { path },
        'the data file ended in the middle of a line: dropped that unacknowledged change',
      ),
    onRenumbered: () =>
      logger.warn(
        { path },
        'the data file had places in the list from the far future: numbered them anew, in the same order',
      ),
    onDisturbed: (what, keptAs) =>
      logger.warn(
        { path, keptAs },
        `the data file was ${what} while in use: wrote it anew; GSLS reads it at the start only, so stop GSLS before you change it`,
      ),
    onUnwritable(error) {
      unwritableAt = performance.now();
      logger.error(
        { path, reason: reasonOf(error) },
        'the data file cannot be written: changes from now on are lost if this process ends before it can be written again',
      );
    },
    onWritable: () =>
      logger.info({ path, unwritableMs: msSince(unwritableAt) }, 'the data file holds everything again'),
  };
}

function msSince(at: number): number {
  return Math.round(performance.now() - at);
}

/** The first line of the error at the root. */
function reasonOf(error: unknown): string {
  const root = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { message, code } = root as NodeJS.ErrnoException;
  return message?.split('\n')[0] || (code ?? String(root));
}
