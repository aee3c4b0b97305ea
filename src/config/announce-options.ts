/** The table of the options of `gsls announce`. Their words without dashes are those of its file, too. */

import { GAME_SERVER_OPTIONS } from './announced-server-options.ts';
import { choice, one, parseHost, parsePath, parsePort, yesOrNo } from './option-parsers.ts';
import { option } from './option.ts';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export const ANNOUNCE_OPTIONS = {
  ...GAME_SERVER_OPTIONS,
  config: option<string | undefined>({
    flag: '--config',
    argument: '<file>',
    variable: 'GSLS_ANNOUNCE_CONFIG',
    group: 'The process',
    description: 'many game servers, in JSON: {"to": "https://…", "servers": [{"query": "a2s …"}]}',
    default: undefined,
    defaultText: 'none',
    parse: one(parsePath),
  }),
  tokenDir: option<string | undefined>({
    flag: '--token-dir',
    argument: '<folder>',
    variable: 'GSLS_ANNOUNCE_TOKEN_DIR',
    group: 'The process',
    description: 'where tokens are kept, which keep the ids: a file for each game server and service',
    default: undefined,
    defaultText: 'gsls in the folder of the user for the state of programs',
    parse: one(parsePath),
  }),
  once: option({
    flag: '--once',
    variable: 'GSLS_ANNOUNCE_ONCE',
    group: 'The process',
    description:
      'broadcast once, print the ids, and end: exit code 0 if all are listed. Each entry lives one TTL',
    default: false,
    parse: yesOrNo,
  }),
  dryRun: option({
    flag: '--dry-run',
    variable: 'GSLS_ANNOUNCE_DRY_RUN',
    group: 'The process',
    description: 'ask the game server once, print what would be sent, and send nothing',
    default: false,
    parse: yesOrNo,
  }),
  opsPort: option<number | undefined>({
    flag: '--ops-port',
    argument: '<port>',
    variable: 'GSLS_ANNOUNCE_OPS_PORT',
    group: 'The process',
    description: 'a port for operators: /readyz, /livez and /metrics; 0 takes any free one',
    default: undefined,
    defaultText: 'none',
    parse: parsePort('gsls-announce-ops'),
  }),
  opsHost: option({
    flag: '--ops-host',
    argument: '<address>',
    variable: 'GSLS_ANNOUNCE_OPS_HOST',
    group: 'The process',
    description: 'the address to listen on with --ops-port; :: means all, IPv4 too',
    default: '127.0.0.1',
    parse: one(parseHost),
  }),
  logLevel: option<(typeof LOG_LEVELS)[number]>({
    flag: '--log-level',
    argument: '<level>',
    variable: 'GSLS_ANNOUNCE_LOG_LEVEL',
    group: 'The process',
    description: `how much to log: ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    parse: choice(...LOG_LEVELS),
  }),
  logFormat: option<'json' | 'pretty' | undefined>({
    flag: '--log-format',
    argument: '<format>',
    variable: 'GSLS_ANNOUNCE_LOG_FORMAT',
    group: 'The process',
    description: 'json for programs, pretty for people',
    default: undefined,
    defaultText: 'pretty on a terminal, else json',
    parse: choice('json', 'pretty'),
  }),
} as const;
