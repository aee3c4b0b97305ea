/** The table of the options for the protocols of other games; most are of dpmaster, the one of the Quake 3 family. */

import { isIP } from 'node:net';
import { amount, one, parsePort } from './option-parsers.ts';
import { optionsIn } from './option.ts';
import { EVERY_GAME, type GamePolicy, type GameProperties } from '../../protocols/dpmaster/games.ts';

/** A name of a game: dpmaster would cut a longer one. */
const NAME = /^[^\s\\/;"%,!\p{Cc}]{1,63}$/u;
const TAG = /^[\x21-\x7e]{1,63}$/;
const MOST_GAMES = 60;

/** The protocols that are spoken at the public port. */
const HTTP_PROTOCOLS = ['ddnet', 'luanti'] as const;

const option = optionsIn('Protocols', { scope: 'registry' });

export const PROTOCOL_OPTIONS = {
  protocols: option<readonly (typeof HTTP_PROTOCOLS)[number][]>({
    argument: '<names>',
    description: `the master server protocols of other games to speak at the public port, each under its name: ${HTTP_PROTOCOLS.join(', ')}`,
    default: [],
    parse: one((text) => {
      const names = text.split(',').map((name) => name.trim());
      return [...new Set(names)].map((name) => {
        const known = HTTP_PROTOCOLS.find((each) => each === name);
        if (known === undefined)
          throw new Error(
            `must be some of ${HTTP_PROTOCOLS.join(', ')} with commas between them, not "${text}"`,
          );
        return known;
      });
    }),
  }),
  maxProtocolBytesPerAddress: option({
    ...amount(32_768, 1_099_511_627_776, 'bytes'),
    description:
      'how much the game servers of one client address may say of themselves by other protocols, in all and each in whole KiB; IPv6 counts by its /64 network',
    default: 1_048_576,
  }),
  dpmasterPort: option<number | undefined>({
    argument: '<port>',
    description:
      'the UDP port for games of the Quake 3 family, which speak the protocol of dpmaster; they expect 27950; 0 takes any free one',
    parse: parsePort('gsls-dpmaster'),
  }),
  dpmasterHost: option<readonly string[]>({
    argument: '<addresses>',
    description:
      'the addresses to listen on with --dpmaster-port, separated by commas; a machine with several names each of them, so that answers leave from the one that was asked',
    default: ['0.0.0.0', '::'],
    defaultText: 'all',
    parse: one(parseIpAddresses),
  }),
  dpmasterGames: option<GamePolicy>({
    argument: '<names>',
    description:
      'the games that --dpmaster-port takes: all, names separated by commas, such as Quake3Arena,Xonotic, or all but those with a ! before each',
    default: EVERY_GAME,
    defaultText: 'all',
    parse: one(parseGamePolicy),
  }),
  dpmasterProperties: option<readonly GameProperties[]>({
    argument: '<properties>',
    description:
      'games with a heartbeat of their own, as for -g of dpmaster, separated by semicolons: "Warsow heartbeat=Warsow protocols=10,11"',
    default: [],
    defaultText: 'those of dpmaster: Quake3Arena, wolfmp and et',
    parse: one(parseGameProperties),
  }),
} as const;

function parseIpAddresses(text: string): readonly string[] {
  const addresses = text.split(',').map((address) => address.trim());
  const wrong = addresses.find((address) => isIP(address) === 0);
  if (wrong !== undefined) throw new Error(`must be addresses separated by commas, not "${wrong}"`);
  const twice = addresses.find((address, at) => addresses.indexOf(address) !== at);
  if (twice !== undefined) throw new Error(`must name ${twice} once`);
  return addresses;
}

function parseGamePolicy(text: string): GamePolicy {
  if (text === 'all') return EVERY_GAME;
  const parts = text.split(',').map((part) => part.trim());
  const names = parts.map((part) => part.replace(/^!/, ''));
  const wrong = parts.find((_, at) => !NAME.test(names[at]!));
  if (wrong !== undefined)
    throw new Error(`must be all, or names of games separated by commas, not "${wrong}"`);
  const excluded = parts.filter((part) => part.startsWith('!')).length;
  if (excluded !== 0 && excluded !== parts.length)
    throw new Error('must have a ! before each name, or before none');
  return { is: excluded === 0 ? 'only' : 'but', names };
}

function parseGameProperties(text: string): readonly GameProperties[] {
  const games = text.split(';').map((part) => parseGame(part.trim()));
  if (games.length > MOST_GAMES) throw new Error(`must have ${MOST_GAMES} games at most`);
  return games;
}

function parseGame(text: string): GameProperties {
  const [name = '', ...properties] = text.split(/ +/);
  if (!NAME.test(name)) throw new Error(`must begin with the name of a game, not "${name}"`);
  return Object.assign({ name }, ...properties.map(parseProperty)) as GameProperties;
}

function parseProperty(text: string): Partial<GameProperties> {
  const [, property, value = ''] = /^([a-z]+)=(.*)$/.exec(text) ?? [];
  const values = value.split(',').filter((each) => each !== '');
  switch (property) {
    case 'heartbeat':
    case 'flatline':
      if (TAG.test(value) && value !== 'DarkPlaces') return { [property]: value };
      break;
    case 'protocols':
      if (values.every((each) => /^-?\d{1,9}$/.test(each))) return { protocols: values.map(Number) };
      break;
    case 'options':
      if (values.every((each) => each === 'send-empty-servers' || each === 'send-full-servers'))
        return {
          sendsEmpty: values.includes('send-empty-servers'),
          sendsFull: values.includes('send-full-servers'),
        };
      break;
  }
  throw new Error(
    `must have properties like heartbeat=Warsow, flatline=Ended, protocols=10,11 or options=send-empty-servers,send-full-servers, not "${text}"`,
  );
}
