/** The table of the options of `gsls announce` for one game server: those that an entry of its file may have. */

import {
  parseAnnouncedIp,
  parseDetails,
  parseMeta,
  parseQueryOption,
  parseServiceUrls,
  parseTags,
  textOfAtMost,
  splitCommand,
  type Query,
} from './announce-parsers.ts';
import { DETAIL_FIELDS, type SaidDetails } from '../../../model/fields/detail-fields.ts';
import {
  amount,
  integer,
  one,
  parseKey,
  parsePath,
  parsePort,
} from '../../../service/config/option-parsers.ts';
import { optionsIn } from '../../../service/config/option.ts';

const services = optionsIn('Services', { prefix: 'GSLS_ANNOUNCE_' });
const game = optionsIn('The game server', { prefix: 'GSLS_ANNOUNCE_' });
const listed = optionsIn('What is listed', { prefix: 'GSLS_ANNOUNCE_' });

export const GAME_SERVER_OPTIONS = {
  to: services<readonly string[]>({
    argument: '<url>',
    description: 'the service that is to list it; repeat the flag, or separate by commas, for several',
    default: [],
    repeatable: true,
    parse: parseServiceUrls,
  }),
  key: services<string | undefined>({
    argument: '<key>',
    variable: 'GSLS_KEY',
    description:
      'the key that the service asks for (other users of the machine can see flags: prefer the variable or a file)',
    secret: true,
    parse: one(parseKey),
  }),
  keyFile: services<string | undefined>({
    argument: '<path>',
    variable: 'GSLS_KEY_FILE',
    description: 'a file with the key in its first line that is no comment',
    parse: one(parsePath),
  }),
  query: game<Query | undefined>({
    argument: '<kind>',
    description:
      'ask the game server at HOST:PORT, as in --query a2s 127.0.0.1:27015: a2s, quake3, minecraft or teeworlds',
    parse: one(parseQueryOption),
  }),
  exec: game<readonly string[] | undefined>({
    argument: '<command>',
    description: 'run this program instead, without a shell; it prints JSON like {"players": 3}',
    parse: one(splitCommand),
  }),
  state: game<string | undefined>({
    argument: '<file>',
    description: 'read this file instead, in which the game server writes such JSON',
    parse: one(parsePath),
  }),
  stateMaxAge: game({
    ...amount(0, 604_800, 'seconds'),
    description: 'a --state that was not written for so long is that of a dead game server; 0 never is',
    default: 60,
  }),
  queryInterval: game({
    ...amount(1, 3600, 'seconds'),
    description: 'how often it is asked; after three answers lost in a row it is dead',
    default: 5,
  }),
  queryTimeout: game<number | undefined>({
    ...amount(50, 60_000, 'milliseconds'),
    description: 'how long it may take for an answer, less than --query-interval',
    defaultText: '1000, for --exec 3000, less for a short interval',
  }),
  name: listed<string | undefined>({
    argument: '<text>',
    description: 'the name that players see',
    defaultText: 'what the game tells, as for all here',
    parse: one(textOfAtMost(128)),
  }),
  host: listed<string | undefined>({
    argument: '<name>',
    description: 'the host name of the game server',
    defaultText: 'that of --query, or of this machine where that is local',
    parse: one(textOfAtMost(253)),
  }),
  port: listed<number | undefined>({
    argument: '<port>',
    description: 'the port that players connect to; --exec and --state need it',
    defaultText: 'that of --query',
    parse: (texts) => {
      if (texts[0]?.startsWith('tcp://')) return parsePort('gsls-announce')(texts);
      return integer(1, 65_535)(texts);
    },
  }),
  ip: listed({
    argument: '<address>',
    description: 'its public address; auto is the one that the service sees',
    default: 'auto',
    parse: one(parseAnnouncedIp),
  }),
  maxPlayers: listed<number | undefined>({
    argument: '<count>',
    description: 'how many players it takes',
    defaultText: 'what the game tells',
    parse: integer(0, 1_000_000),
  }),
  region: listed<string | undefined>({
    argument: '<text>',
    description: 'the region',
    parse: one(textOfAtMost(DETAIL_FIELDS.region.rules.maxLength!)),
  }),
  tags: listed<readonly string[] | undefined>({
    argument: '<tags>',
    description: 'tags, separated by commas',
    defaultText: 'what the game tells',
    repeatable: true,
    parse: parseTags,
  }),
  meta: listed<SaidDetails['meta']>({
    argument: '<json>',
    description: 'anything else, as an object; its keys join those of the game',
    defaultText: 'what the game tells',
    parse: one(parseMeta),
  }),
  details: listed<SaidDetails>({
    argument: '<json>',
    description: 'any details of the API, as in \'{"mode": "survival", "password": true}\'',
    default: {},
    defaultText: 'what the game tells',
    parse: one(parseDetails),
  }),
  unlisted: listed('keep it off the list: players find it by its join code, which the log names'),
} as const;
