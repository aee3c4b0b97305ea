/**
 * The table of the options that say which requests are taken: keys, server tokens, and which addresses clients and game
 * servers may have. No message repeats a secret.
 */

import { parseNetworks, type Networks } from '../../model/net/networks.ts';
import { PROBE_KINDS, type ProbeKind } from '../../api/reachability/probe-result.ts';
import {
  PATH,
  choice,
  one,
  parseHeaderName,
  parseKey,
  parseNetworksToProbe,
  parseTokenSecret,
} from './option-parsers.ts';
import { optionsIn } from './option.ts';

const option = optionsIn('Access', { scope: 'registry' });
const ofProcess = optionsIn('Access');

export const ACCESS_OPTIONS = {
  key: ofProcess<readonly string[]>({
    argument: '<key>',
    description:
      'require this key in every request; repeat the flag to accept several keys (other users of the machine can see flags: prefer the variable or a file)',
    default: [],
    defaultText: 'no key needed',
    repeatable: true,
    secret: true,
    parse: (texts) => texts.map(parseKey),
  }),
  keyFile: ofProcess<string | undefined>({
    ...PATH,
    description: 'a file with more keys to accept, one per line; lines that begin with # are comments',
  }),
  publicRead: option(
    'let clients read the list, query it and ask for the health without a key; writing keeps needing it',
  ),
  allowUnlisted: option(
    'let a broadcast say "unlisted": the list does not show such an entry, players find it by its join code; set it when all replicas are of 0.5 or later',
  ),
  adminKey: ofProcess<readonly string[]>({
    argument: '<key>',
    description:
      'the key of /admin, which opens nothing else; repeat the flag to accept several keys (prefer the variable or a file, as for --key)',
    default: [],
    defaultText: 'no /admin',
    repeatable: true,
    secret: true,
    parse: (texts) => texts.map(parseKey),
  }),
  adminKeyFile: ofProcess<string | undefined>({
    ...PATH,
    description: 'a file with more admin keys, in the form of a --key-file',
  }),
  requireServerToken: option('refuse pings and removes without the Server-Token of the entry'),
  tokenSecret: option<readonly string[]>({
    argument: '<secret>',
    description:
      'the secret that server tokens are made with, of 16 characters or more; repeat the flag to accept the tokens of older ones, which come after the new one (prefer the variable or a file, as for --key)',
    default: [],
    defaultText: 'made by the registry itself',
    repeatable: true,
    secret: true,
    parse: (texts) => texts.map(parseTokenSecret),
  }),
  tokenSecretFile: option<string | undefined>({
    ...PATH,
    description: 'a file with such secrets, one per line; the first one makes the tokens',
  }),
  trustProxy: ofProcess<Networks | undefined>({
    argument: '<networks>',
    description:
      'the proxies that may name the client in a header: networks such as 10.0.0.0/8, addresses, loopback, linklocal, uniquelocal or private, separated by commas',
    parse: one(parseNetworks),
  }),
  clientAddressHeader: ofProcess({
    argument: '<name>',
    description:
      'the one header in which trusted proxies name the client: X-Forwarded-For, Forwarded, or one such as CF-Connecting-IP',
    default: 'X-Forwarded-For',
    parse: one(parseHeaderName),
  }),
  proxyProtocol: ofProcess(
    'the trusted proxies pass TCP, and name the client in a header of the PROXY protocol, version 2, at the beginning of each connection to --port',
  ),
  verifySource: option('let a game server be listed, pinged and removed only from its own address'),
  publicAddressesOnly: option(
    'refuse game servers at addresses that cannot be reached from the internet, such as 192.168.0.5',
  ),
  verify: option<ProbeKind | undefined>({
    argument: '<protocol>',
    description:
      'check that game servers answer at their address: tcp (take a connection), http (GET /), or over UDP a2s (the query of Source servers) or quake3 (getinfo), whose answers also tell how many players are there',
    defaultText: 'off',
    parse: choice(...PROBE_KINDS),
  }),
  verifyNetworks: option<Networks | undefined>({
    argument: '<networks>',
    description:
      'where --verify may connect to beside the address of the client itself: networks, as for --trust-proxy',
    parse: one(parseNetworksToProbe),
  }),
  unverified: option<'hide' | 'show'>({
    argument: '<treatment>',
    description: 'hide: list a game server only once it has answered --verify; show: list it anyway',
    default: 'hide',
    parse: choice('hide', 'show'),
  }),
  playersSeen: option(
    'show the number of players that --verify has seen lately in place of the announced one, on the page and in /servers',
  ),
} as const;
