/** The table of the options of the process itself: its ports, its workers, and its end. */

import { amount, one, parseFilePath, parseHost, parsePort, parseWorkers } from './option-parsers.ts';
import { optionsIn } from './option.ts';

/** A registry in memory has no other replica that could take the requests. */
export const DRAIN_DELAY_WITH_REDIS_S = 3;

const option = optionsIn('Service');

export const SERVICE_OPTIONS = {
  config: option<string | undefined>({
    argument: '<file>',
    description:
      'a configuration file in YAML or JSON: all options by their long names, the registries that are served, and keys; flags and variables win over it',
    parse: one(parseFilePath),
  }),
  port: option({
    argument: '<port>',
    description: 'the port to listen on; 0 takes any free one',
    default: 53_600,
    parse: parsePort('gsls'),
  }),
  host: option({
    argument: '<address>',
    description: 'the address to listen on; :: means all, IPv4 too',
    default: '::',
    parse: one(parseHost),
  }),
  opsPort: option<number | undefined>({
    argument: '<port>',
    description:
      'a port of its own for operators: /metrics, /livez, /readyz, /debug/config and /admin, which --port then serves no more; 0 takes any free one',
    parse: parsePort('gsls-ops'),
  }),
  opsHost: option({
    argument: '<address>',
    description: 'the address to listen on with --ops-port; :: means all, IPv4 too',
    default: '127.0.0.1',
    parse: one(parseHost),
  }),
  beaconPort: option<number | undefined>({
    argument: '<port>',
    description:
      'a port on which this replica is a beacon, too (see gsls beacon --help); 53601 is usual, 0 takes any free one',
    parse: parsePort('gsls-beacon'),
  }),
  workers: option({
    argument: '<number>',
    description:
      'how many processes share the ports, each a replica: a number, or auto for one of each core; more than one need Redis',
    default: 1,
    parse: one(parseWorkers),
  }),
  maxBody: option({
    ...amount(1024, 1_048_576, 'bytes'),
    description: 'the largest request body accepted',
    default: 16_384,
  }),
  geoFile: option<string | undefined>({
    argument: '<path>',
    description:
      'a file of countries by address, a MaxMind DB such as GeoLite2 Country or DB-IP: game servers that say no country get one from it',
    parse: one(parseFilePath),
  }),
  registryIndex: option(
    'name the registries that everybody may read at the root of the service: GET / lists them, each with its address',
  ),
  drainDelay: option<number | undefined>({
    ...amount(0, 300, 'seconds'),
    description:
      'how long to keep answering after SIGTERM, with a failing health check, so that load balancers turn to other replicas',
    defaultText: `${DRAIN_DELAY_WITH_REDIS_S} with Redis, else 0`,
  }),
} as const;
