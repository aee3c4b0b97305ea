/** The table of the options of `gsls announce` for one game server: those that an entry of its file may have. */

import { splitCommand } from '../announce/sources/split-command.ts';
import { DETAIL_FIELDS, type SaidDetails } from '../registry/fields/detail-fields.ts';
import {
  parseAnnouncedIp,
  parseDetails,
  parseMeta,
  parseQuery,
  parseServiceUrls,
  parseTags,
  shownText,
  type Query,
} from './announce-parsers.ts';
import { integer, one, parseKey, parsePath, parsePort, yesOrNo } from './option-parsers.ts';
import { optionsIn } from './option.ts';

const services = optionsIn('Services', 'GSLS_ANNOUNCE_');
const game = optionsIn('The game server', 'GSLS_ANNOUNCE_');
const listed = optionsIn('What is listed', 'GSLS_ANNOUNCE_');

export const GAME_SERVER_OPTIONS = {
  to: services<readonly string[]>({
    flag: '--to',
    argument: '<url>',
    description: 'the service that is to list it; repeat the flag, or separate by commas, for several',
    default: [],
    defaultText: 'none',
    repeatable: true,
    parse: parseServiceUrls,
  }),
  key: services<string | undefined>({
    flag: '--key',
    argument: '<key>',
    variable: 'GSLS_KEY',
    description:
      'the key that the service asks for (other users of the machine can see flags: prefer the variable or a file)',
    secret: true,
    parse: one(parseKey),
  }),
  keyFile: services<string | undefined>({
    flag: '--key-file',
    argument: '<path>',
    variable: 'GSLS_KEY_FILE',
    description: 'a file with the key in its first line that is no comment',
    parse: one(parsePath),
  }),
  query: game<Query | undefined>({
    flag: '--query',
    argument: '<kind>',
    description:
      'ask the game server at HOST:PORT, as in --query a2s 127.0.0.1:27015: a2s, quake3, minecraft or teeworlds',
    parse: one(parseQuery),
  }),
  exec: game<readonly string[] | undefined>({
    flag: '--exec',
    argument: '<command>',
    description: 'run this program instead, without a shell; it prints JSON like {"players": 3}',
    parse: one(splitCommand),
  }),
  state: game<string | undefined>({
    flag: '--state',
    argument: '<file>',
    description: 'read this file instead, in which the game server writes such JSON',
    parse: one(parsePath),
  }),
  stateMaxAge: game({
    flag: '--state-max-age',
    argument: '<seconds>',
    description: 'a --state that was not written for so long is that of a dead game server; 0 never is',
    default: 60,
    parse: integer(0, 604_800, 'seconds'),
  }),
  queryInterval: game({
    flag: '--query-interval',
    argument: '<seconds>',
    description: 'how often it is asked; after three answers lost in a row it is dead',
    default: 5,
    parse: integer(1, 3600, 'seconds'),
  }),
  queryTimeout: game<number | undefined>({
    flag: '--query-timeout',
    argument: '<ms>',
    description: 'how long it may take for an answer, less than --query-interval',
    defaultText: '1000, for --exec 3000, less for a short interval',
    parse: integer(50, 60_000, 'milliseconds'),
  }),
  name: listed<string | undefined>({
    flag: '--name',
    argument: '<text>',
    description: 'the name that players see',
    defaultText: 'what the game tells, as for all here',
    parse: one(shownText(128)),
  }),
  host: listed<string | undefined>({
    flag: '--host',
    argument: '<name>',
    description: 'the host name of the game server',
    defaultText: 'that of --query, or of this machine where that is local',
    parse: one(shownText(253)),
  }),
  port: listed<number | undefined>({
    flag: '--port',
    argument: '<port>',
    description: 'the port that players connect to; --exec and --state need it',
    defaultText: 'that of --query',
    parse: (texts) => {
      if (texts[0]?.startsWith('tcp://')) return parsePort('gsls-announce')(texts);
      return integer(1, 65_535)(texts);
    },
  }),
  ip: listed({
    flag: '--ip',
    argument: '<address>',
    description: 'its public address; auto is the one that the service sees',
    default: 'auto',
    parse: one(parseAnnouncedIp),
  }),
  maxPlayers: listed<number | undefined>({
    flag: '--max-players',
    argument: '<count>',
    description: 'how many players it takes',
    defaultText: 'what the game tells',
    parse: integer(0, 1_000_000),
  }),
  region: listed<string | undefined>({
    flag: '--region',
    argument: '<text>',
    description: 'the region',
    parse: one(shownText(DETAIL_FIELDS.region.rules.maxLength!)),
  }),
  tags: listed<readonly string[] | undefined>({
    flag: '--tags',
    argument: '<tags>',
    description: 'tags, separated by commas',
    defaultText: 'what the game tells',
    repeatable: true,
    parse: parseTags,
  }),
  meta: listed<SaidDetails['meta']>({
    flag: '--meta',
    argument: '<json>',
    description: 'anything else, as an object; its keys join those of the game',
    defaultText: 'what the game tells',
    parse: one(parseMeta),
  }),
  details: listed<SaidDetails>({
    flag: '--details',
    argument: '<json>',
    description: 'any details of the API, as in \'{"mode": "survival", "password": true}\'',
    default: {},
    defaultText: 'what the game tells',
    parse: one(parseDetails),
  }),
  unlisted: listed({
    flag: '--unlisted',
    description: 'keep it off the list: players find it by its join code, which the log names',
    default: false,
    parse: yesOrNo,
  }),
} as const;
