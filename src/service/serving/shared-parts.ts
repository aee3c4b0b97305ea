/** Holds what all registries of a process share: ports, the connection to Redis, keys, and the turns of work. */

import type { CountryOf } from '../../api/http/context.ts';
import type { KeyRing } from '../../api/http/key-ring.ts';
import type { LoadWatch } from '../../api/http/limits/load-shedding.ts';
import type { Port } from '../../api/http/server/request-listener.ts';
import type { Processes } from '../../registry/data-file/file-lock.ts';
import type { HistoryRecord } from '../../registry/history-record.ts';
import type { Logger } from '../../runtime/log/logger.ts';
import type { Family } from '../metrics/families.ts';
import type { Turns } from '../../api/work/turns.ts';
import type { Deadlines } from '../../runtime/deadlines.ts';
import type { Pulse } from '../../runtime/pulse.ts';
import type { Config } from '../config/config.ts';
import type { ProcessMetrics } from '../metrics/create-metrics.ts';
import type { RedisLink } from '../open-redis.ts';
import type { StreamsOfAll } from '../../api/changes/stream-limits.ts';
import type { ServersOfAll } from './servers-of-all.ts';

export interface AmongWorkers {
  /** Its number, from 1 on. The first one alone has the port that is no port of HTTP. */
  readonly worker: number;
  /** How many there are. */
  readonly workers: number;
  /** Whether it listens only once it has a list: others answer meanwhile. */
  readonly waitsForList: boolean;
  /** The metrics of all of them. */
  readonly gatherMetrics: () => Promise<readonly Family[]>;
}

export interface SharedParts {
  readonly logger: Logger;
  readonly processes: Processes;
  /** The history that a registry in memory begins with. */
  readonly past: HistoryRecord | undefined;
  /** The options of the process. */
  readonly config: Config;
  /** Whether the registries have names that tell them apart in log and metrics. */
  readonly isNamed: boolean;
  readonly deadlines: Deadlines;
  readonly amongWorkers: AmongWorkers | undefined;
  readonly pulse: Pulse;
  /** Aborted once the replica is to stop. */
  readonly stopping: AbortSignal;
  readonly turns: Turns;
  readonly load: LoadWatch | undefined;
  readonly ring: KeyRing;
  /** The limit of --total-servers, if there is one. */
  readonly serversOfAll: ServersOfAll | undefined;
  /** The streams of all registries, and the limit of --total-streams. */
  readonly streamsOfAll: StreamsOfAll;
  readonly countryOf: CountryOf | undefined;
  readonly metrics: ProcessMetrics;
  /** Undefined for registries in memory. */
  readonly redis: RedisLink | undefined;
  readonly port: Port;
  /** The port of operators and moderators, if they have one of their own. */
  readonly opsPort: Port | undefined;
}
