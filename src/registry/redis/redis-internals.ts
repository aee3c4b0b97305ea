/** Assembles the parts of a registry in Redis. Nothing is sent before the first call or timer. */

import type { Fates } from '../backend.ts';
import { DEADLINES, type Deadlines } from '../../runtime/deadlines.ts';
import { Pulse } from '../../runtime/pulse.ts';
import type { Lifetime } from '../lifetime.ts';
import { NO_QUOTAS, type RegistryRules } from '../registry-rules.ts';
import { systemClock, type Clock } from '../registry.ts';
import type { RedisClient } from './connection/create-client.ts';
import { Documents } from './documents.ts';
import type { RedisRegistryEvents } from './events.ts';
import { Follower } from './follower/follower.ts';
import { ListReader } from './follower/list-reader.ts';
import { GuardedWrites } from './guarded-writes.ts';
import { createKeys } from './keys.ts';
import { refuseOlderStore } from './older-store.ts';
import { sampleIntervalOf, startUpkeep } from './recovery/upkeep.ts';
import { LOSS_NOTICE_MS } from './recovery/write-back.ts';
import { createFates } from './redis-fates.ts';
import { RedisHistory } from './redis-history.ts';
import { RedisServerHistories } from './redis-server-histories.ts';
import { RedisModeration } from './redis-moderation.ts';
import { Rest } from './rest.ts';
import { CircuitBreaker } from './scripts/circuit-breaker.ts';
import type { Scripts } from './scripts/scripts.ts';
import { createScripts } from './scripts/create-scripts.ts';
import { SettingsKeeper } from './settings-keeper.ts';
import { WriteRefusals } from './write-refusals.ts';

export interface RedisRegistryOptions extends RegistryRules {
  /** The caller closes it, after the registry. */
  readonly client: RedisClient;
  /** The name that tells registries in one Redis apart; '' is the unnamed one. */
  readonly registryName: string;
  readonly lifetime: Lifetime;
  /** Whether this replica writes back from its copy what Redis lost. Default: yes. */
  readonly writeBack?: boolean;
  readonly events?: Partial<RedisRegistryEvents>;
  /** The clock for timers and for the age of a stale list. */
  readonly clock?: Clock;
  /**
   * The registry rests once no entry was listed, and nobody has read or written, for so long (rest.ts). One that is
   * opened and found empty rests at once. Default: it never rests.
   */
  readonly restsAfterMs?: number | undefined;
  /** For tests: deadlines go by `clock` instead of the clock of Redis, which alone counts otherwise. */
  readonly clockRulesRedis?: boolean;
  /** For tests: how long it takes until every replica has noticed a loss, in real ms. */
  readonly lossNoticeMs?: number;
  /** These are real ms, whatever the clock. */
  readonly deadlines?: Deadlines;
  /** The pulse of the process; without it the registry starts its own. */
  readonly pulse?: Pulse;
}

/** What tells all registries of a client to look at Redis: that one of them finds a loss, or the client a new Redis. */
const SIGNS_OF_LOSS = ['loss', 'ready'];

/** How often to probe a Redis that does not answer. */
const PROBE_INTERVAL_MS = 50;

export interface RedisInternals {
  readonly scripts: Scripts;
  readonly documents: Documents;
  readonly fates: Fates;
  readonly settings: SettingsKeeper;
  readonly breaker: CircuitBreaker;
  readonly follower: Follower;
  readonly reader: ListReader;
  readonly writes: GuardedWrites;
  readonly moderation: RedisModeration;
  readonly history: RedisHistory;
  readonly serverHistories: RedisServerHistories | undefined;
  readonly rest: Rest;
  readonly close: () => void;
}

/** Assembles a registry and starts its timers, which close() stops. */
export function startInternals(options: RedisRegistryOptions): RedisInternals {
  const { lifetime, events = {}, clock = systemClock } = options;
  const { writeBack: writesBack = true, lossNoticeMs = LOSS_NOTICE_MS, deadlines = DEADLINES } = options;
  const closing = new AbortController();
  const pulse = options.pulse ?? new Pulse();
  if (options.pulse === undefined) closing.signal.addEventListener('abort', () => pulse.stop());
  let stopProbing: (() => void) | undefined;
  const rest = new Rest({
    clock,
    afterMs: options.restsAfterMs,
    isIdle() {
      const [entry] = follower.entries();
      const isKnown = hasList() && !follower.isIncomplete && !breaker.isOpen;
      return isKnown && entry === undefined && !closing.signal.aborted;
    },
    async look() {
      await reader.poll();
      await moderation.keep(clock.now()).catch(() => undefined);
    },
    onWake() {
      history.outdate();
      serverHistories?.outdate();
      void reader.poll();
    },
  });
  const refusals = new WriteRefusals({ events, calmMs: deadlines.refusalMs });
  const breaker = new CircuitBreaker({
    onOpen: (error) => {
      if (closing.signal.aborted) return;
      stopProbing = rest.every(PROBE_INTERVAL_MS, () => reader.poll());
      refusals.forget();
      events.onUnavailable?.(error);
    },
    onClose: () => {
      stopProbing?.();
      events.onAvailable?.();
    },
    onRefused: (error) => refusals.noteFailure(error),
  });
  const { client } = options;
  if (options.restsAfterMs !== undefined) {
    client.setMaxListeners(0);
    for (const sign of SIGNS_OF_LOSS) client.on(sign, rest.lookNow);
  }
  const keys = createKeys(options.registryName);
  const documents = new Documents({
    fetch: (ids) => Promise.all(ids.map((id) => client.hget(keys.recordPrefix + id, 'document'))),
  });
  const scripts = createScripts({
    client,
    keys,
    admit: () => refuseOlderStore(client, keys),
    documentOf: ({ id, details }) => documents.get(id, details.fields.document),
    lifetime,
    uniqueAddress: options.uniqueAddress,
    verifySource: options.verifySource ?? false,
    quotas: options.quotas ?? NO_QUOTAS,
    maxDocumentBytesPerAddress: options.maxDocumentBytesPerAddress ?? Infinity,
    holdMassExpiry: options.holdMassExpiry ?? true,
    events,
    deadlines,
    pulse,
    systemNow: () => clock.now(),
    ...(options.clockRulesRedis === true && { now: () => clock.now() }),
  });
  const settings = new SettingsKeeper(scripts, options);
  const shared = {
    scripts,
    documents,
    settings,
    breaker,
    refusals,
    rest,
    clock,
    lifetime,
    events: { ...events, onLoss: () => client.emit('loss') },
    writesBack,
    lossNoticeMs,
    deadlines,
    pulse,
  };
  const follower = new Follower({ ...shared, signal: closing.signal });
  const reader = new ListReader({ ...shared, follower, onPoll: events.onPoll });
  const { barrier: readBarrier } = reader;
  const writes = new GuardedWrites({ ...shared, follower, readBarrier });
  const hasList = (): boolean => follower.current !== undefined;
  const moderation = new RedisModeration({ ...shared, readBarrier, hasList });
  const intervalMs = sampleIntervalOf(lifetime);
  const history = new RedisHistory({ ...shared, intervalMs, now: () => clock.now() });
  const { serverHistoryMost: most = 0 } = options;
  const serverHistories =
    most === 0
      ? undefined
      : new RedisServerHistories({
          ...shared,
          most,
          onFull: events.onHistoriesFull,
          now: () => clock.now(),
          registry: { list: () => reader.list(), known: (id) => follower.get(id), moderation },
        });
  const stopUpkeep = startUpkeep({
    ...shared,
    clock: rest,
    moderation,
    sample: () => history.sample(follower.currentWithin(2 * intervalMs)),
    look: serverHistories && (() => serverHistories.look()),
    async poll() {
      await reader.poll();
      rest.restIfIdle();
    },
  });
  return {
    scripts,
    documents,
    fates: createFates(client, keys, breaker),
    settings,
    breaker,
    follower,
    reader,
    writes,
    moderation,
    history,
    serverHistories,
    rest,
    close() {
      closing.abort();
      for (const sign of SIGNS_OF_LOSS) client.off(sign, rest.lookNow);
      rest.close();
      stopUpkeep();
      stopProbing?.();
    },
  };
}
