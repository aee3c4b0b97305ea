/** The table of the options of `gsls announce`. Their words without dashes are those of its file, too. */

import { GAME_SERVER_OPTIONS } from './announced-server-options.ts';
import { choice, one, parseHost, parsePath, parsePort } from '../../../service/config/option-parsers.ts';
import { namedOptions, optionsIn } from '../../../service/config/option.ts';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

const option = optionsIn('The process', { prefix: 'GSLS_ANNOUNCE_' });

export const ANNOUNCE_OPTIONS = namedOptions({
  ...GAME_SERVER_OPTIONS,
  config: option<string | undefined>({
    argument: '<file>',
    description: 'many game servers, in JSON: {"to": "https://…", "servers": [{"query": "a2s …"}]}',
    parse: one(parsePath),
  }),
  tokenDir: option<string | undefined>({
    argument: '<folder>',
    description: 'where tokens are kept, which keep the ids: a file for each game server and service',
    defaultText: 'gsls in the folder of the user for the state of programs',
    parse: one(parsePath),
  }),
  noMeasure: option('do not measure the beacons that a service names, by which players find what is near'),
  removeForGood: option('give up the ids at the end: the next start gets others'),
  once: option(
    'broadcast once, print the ids, and end: exit code 0 if all are listed. Each entry lives one TTL',
  ),
  dryRun: option('ask the game server once, print what would be sent, and send nothing'),
  opsPort: option<number | undefined>({
    argument: '<port>',
    description: 'a port for operators: /readyz, /livez and /metrics; 0 takes any free one',
    parse: parsePort('gsls-announce-ops'),
  }),
  opsHost: option({
    argument: '<address>',
    description: 'the address to listen on with --ops-port; :: means all, IPv4 too',
    default: '127.0.0.1',
    parse: one(parseHost),
  }),
  logLevel: option<(typeof LOG_LEVELS)[number]>({
    argument: '<level>',
    description: `how much to log: ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    parse: choice(...LOG_LEVELS),
  }),
  logFormat: option<'json' | 'pretty' | undefined>({
    argument: '<format>',
    description: 'json for programs, pretty for people',
    defaultText: 'pretty on a terminal, else json',
    parse: choice('json', 'pretty'),
  }),
});
