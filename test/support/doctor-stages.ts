/** Game servers that are not listed, each for one reason: staged on a registry with a clock that the test moves. */

import { createServer, type AddressInfo, type Server } from 'node:net';
import { createServer as createHttpServer } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import { createConfig } from '../../src/service/config/config.ts';
import { roomOptionsOf } from '../../src/service/room-options.ts';
import type { Cause } from '../../src/model/findings.ts';
import { createListener } from './create-listener.ts';
import { openRateLimits } from '../../src/service/open-rate-limits.ts';
import type { Backend, WriteOutage } from '../../src/registry/backend.ts';
import { openDetailsRule } from '../../src/api/writes/details-rule.ts';
import { ask, type TestAnswer } from './ask.ts';
import { aBroadcast } from './builders.ts';
import { freePort } from './free-port.ts';
import { listen } from './listen.ts';
import type { ManualClock } from './manual-clock.ts';
import { lifetime, type Rules } from './registry-fixture.ts';
import { silentLogger } from './start-test-service.ts';
import { until } from './until.ts';

/** A public address, and another one of its owner. */
export const HOME = '8.8.4.4';
export const HOME_V6 = '2001:4860:4860::8844';
export const ADMIN_KEY = 'boss';
export const CLAIM = { 'Server-Token': 'claim' };

export type StageRules = Rules & { readonly uniqueAddress: boolean };

export interface World {
  open(rules: StageRules): Promise<Backend>;
  readonly clock: ManualClock;
  /** Default: the registry refuses nothing. */
  readonly whyRefused?: () => WriteOutage | undefined;
}

/** A service of which the test has the registry and the clock. */
export interface Stage {
  readonly url: string;
  readonly registry: Backend;
  readonly clock: ManualClock;
  /** As a game server or a person with this address sends it. */
  send(call: string, body?: object, headers?: OutgoingHttpHeaders, from?: string): Promise<TestAnswer>;
  broadcast(overrides?: object, headers?: OutgoingHttpHeaders, from?: string): Promise<TestAnswer>;
  ban(about: object): Promise<void>;
  /** Is called when the stage is closed. */
  later(close: () => Promise<unknown>): void;
  close(): Promise<void>;
}

export async function openStage(
  world: World,
  environment: Readonly<Record<string, string>> = {},
): Promise<Stage> {
  const config = createConfig({
    flags: {},
    environment: {
      GSLS_TRUST_PROXY: 'loopback',
      GSLS_ALLOW_UNLISTED: 'true',
      GSLS_ADMIN_KEY: ADMIN_KEY,
      ...environment,
    },
    readFile: () => '{"type":"object","required":["map"]}',
  });
  const registry = await world.open(roomOptionsOf(config).registry);
  const closers: (() => Promise<unknown>)[] = [];
  const server = createHttpServer(
    createListener({
      config,
      registry,
      ...(world.whyRefused && { whyRefused: world.whyRefused }),
      lifetime,
      logger: silentLogger,
      now: () => world.clock.now(),
      detailsRule: await openDetailsRule(config.detailsSchema, config.detailsSchemaJson),
      rateLimits: await openRateLimits({ config, lifetime, logger: silentLogger, redis: undefined }),
    }),
  );
  await listen(server, '127.0.0.1', 0);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stage: Stage = {
    url,
    registry,
    clock: world.clock,
    send: (call, body, headers = {}, from = HOME) =>
      ask({ url }, call, { ...(body && { body }), headers: { 'X-Forwarded-For': from, ...headers } }),
    broadcast: (overrides = {}, headers, from = HOME) =>
      stage.send('POST /broadcast', aBroadcast({ server_ip: from, ...overrides }), headers, from),
    async ban(about) {
      const body = { author: 'ann', reason: 'spam', ...about };
      await stage.send('POST /admin/bans', body, { Authorization: ADMIN_KEY });
    },
    later: (close) => void closers.push(close),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const close of closers) await close();
      await registry.close();
    },
  };
  return stage;
}

/** What the person asks, and as whom. */
export interface Asked {
  readonly host?: string;
  readonly port?: number;
  readonly id?: string;
  readonly token?: string;
  /** Empty for a request without a trusted proxy before it. */
  readonly from?: string;
  readonly headers?: OutgoingHttpHeaders;
}

export interface StagedCause {
  readonly cause: Cause;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stage: (stage: Stage) => Promise<Asked>;
  /** Whether the list shows the game server all the same. */
  readonly isListed?: true;
  /** What the sentence has of the very case. */
  readonly says: RegExp;
}

const tokenOf = ({ headers }: TestAnswer): string => String(headers['server-token']);
const AT_HOME = { host: HOME, port: 7777 };
const LOCAL_PROBES = { GSLS_VERIFY: 'tcp', GSLS_VERIFY_NETWORKS: 'loopback' };

/** A port that takes connections. */
export async function openPort(stage: Stage): Promise<number> {
  const server: Server = createServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stage.later(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

/** An entry on this machine that was not reached at its last attempt. */
async function unreached(stage: Stage, port: number, outcome = 'refused'): Promise<Asked> {
  const ip = '127.0.0.1';
  const { body } = await stage.broadcast({ server_ip: ip, server_port: 9 }, {}, ip);
  const target = { ip, port };
  const entry = stage.registry.known(body.server_id!)!;
  await stage.registry.ping(entry.id, { ...entry, port }, { address: ip, proof: 'none' });
  await until(async () => stage.registry.known(entry.id)?.port === port);
  await stage.registry.reachability.note(entry.id, target, outcome);
  return { host: ip, port, from: ip };
}

export const STAGED: Readonly<Record<string, StagedCause>> = {
  'a game server that is listed': {
    cause: 'listed',
    isListed: true,
    says: /the list shows/,
    async stage(stage) {
      await stage.broadcast();
      return AT_HOME;
    },
  },
  'one that has never broadcast': {
    cause: 'unknown',
    says: /not broadcast/,
    stage: async () => AT_HOME,
  },
  'one that stopped its pings': {
    cause: 'expired',
    says: /one TTL: 60 s ago/,
    async stage(stage) {
      const { body } = await stage.broadcast();
      await stage.clock.advance(2 * lifetime.ttlMs);
      return { ...AT_HOME, id: body.server_id! };
    },
  },
  'one that has left and keeps its id': {
    cause: 'parked',
    says: /keeps its id: until 20\d\d-/,
    async stage(stage) {
      const answer = await stage.broadcast({}, CLAIM);
      const body = { server_id: answer.body.server_id, server_ip: HOME, keep_id: true };
      await stage.send('POST /remove', body, { 'Server-Token': tokenOf(answer) });
      return { ...AT_HOME, token: tokenOf(answer) };
    },
  },
  'one that has left, and whose last ping came after that': {
    cause: 'parked',
    says: /keeps its id: until 20\d\d-/,
    async stage(stage) {
      const answer = await stage.broadcast({}, CLAIM);
      const { server_id } = answer.body;
      const token = { 'Server-Token': tokenOf(answer) };
      await stage.send('POST /remove', { server_id, server_ip: HOME, keep_id: true }, token);
      await stage.send('POST /ping', aBroadcast({ server_id, server_ip: HOME }), token);
      return { ...AT_HOME, token: tokenOf(answer) };
    },
  },
  'one that stopped its pings, for who knows no id': {
    cause: 'expired',
    says: /has expired.*: 20 s ago$/,
    async stage(stage) {
      await stage.broadcast();
      await stage.clock.advance(lifetime.ttlMs + 20_000);
      return AT_HOME;
    },
  },
  'one that announces another port': {
    cause: 'other_port',
    says: /others from your address are: 8\.8\.4\.4:7778, listed; 8\.8\.4\.4:7779, expired 20 s ago$/,
    async stage(stage) {
      await stage.broadcast({ server_port: 7779 });
      await stage.clock.advance(lifetime.ttlMs + 20_000);
      await stage.broadcast({ server_port: 7778 });
      return AT_HOME;
    },
  },
  'one that announces the address of another machine': {
    cause: 'other_ip',
    isListed: true,
    says: /announces another address.*: 9\.9\.9\.9:7777, listed$/,
    async stage(stage) {
      await stage.broadcast({ server_ip: '9.9.9.9' });
      return AT_HOME;
    },
  },
  'one that announced the address of another machine, and stopped its pings': {
    cause: 'other_ip',
    says: /: 9\.9\.9\.9:7777, expired 20 s ago$/,
    async stage(stage) {
      await stage.broadcast({ server_ip: '9.9.9.9' });
      await stage.clock.advance(lifetime.ttlMs + 20_000);
      return AT_HOME;
    },
  },
  'one that was removed': {
    cause: 'removed',
    says: /removed for good.*: just now$/,
    async stage(stage) {
      const answer = await stage.broadcast({}, CLAIM);
      await stage.registry.evict(answer.body.server_id!);
      return { ...AT_HOME, token: tokenOf(answer) };
    },
  },
  'one that is banned': {
    cause: 'banned',
    says: /banned this game server: spam and more spam/,
    async stage(stage) {
      await stage.broadcast({ server_name: 'Casino' });
      await stage.ban({ name: 'casino', reason: 'spam and more spam' });
      return AT_HOME;
    },
  },
  'one whose address is banned': {
    cause: 'banned',
    says: /: not this network/,
    async stage(stage) {
      await stage.ban({ address: HOME, reason: 'not this network' });
      return AT_HOME;
    },
  },
  'one that was not reached, and could be now': {
    cause: 'not_verified',
    says: /refused the connection/,
    environment: LOCAL_PROBES,
    stage: async (stage) => unreached(stage, await openPort(stage)),
  },
  'one that does not listen': {
    cause: 'not_listening',
    says: /nothing listens at the port: TCP 127\.0\.0\.1:\d+ refused the connection$/,
    environment: LOCAL_PROBES,
    stage: async (stage) => unreached(stage, await freePort()),
  },
  'one whose port the firewall closes': {
    cause: 'port_closed',
    says: /keeps the port closed: no answer on TCP 127\.0\.0\.1:\d+ within 3 s$/,
    environment: { ...LOCAL_PROBES, GSLS_UNVERIFIED: 'hide' },
    async stage(stage) {
      const asked = await unreached(stage, await freePort(), 'no_answer');
      // The port is tried once in 30 s: what the service knows counts then.
      await askDoctor(stage, { host: '127.0.0.1', port: 1999, from: '127.0.0.1' });
      return asked;
    },
  },
  'one that is unlisted': {
    cause: 'unlisted',
    says: /join code: [0-9A-Z]{10}/,
    async stage(stage) {
      return { ...AT_HOME, token: tokenOf(await stage.broadcast({ unlisted: true }, CLAIM)) };
    },
  },
  'one too many for the service': {
    cause: 'quota_all',
    says: /: 1 of 1$/,
    environment: { GSLS_MAX_SERVERS: '1' },
    async stage(stage) {
      await stage.broadcast({}, {}, '8.8.8.8');
      await stage.broadcast();
      return AT_HOME;
    },
  },
  'one too many for its address': {
    cause: 'quota_address',
    says: /: 1 of 1$/,
    environment: { GSLS_MAX_SERVERS_PER_ADDRESS: '1' },
    async stage(stage) {
      await stage.broadcast({ server_port: 1 });
      await stage.broadcast();
      return AT_HOME;
    },
  },
  'one that sends too much': {
    cause: 'rate_limited',
    says: /than the service takes: 1 of the kind "broadcast" in 3600 s$/,
    environment: { GSLS_RATE_LIMIT: 'broadcast=1/h' },
    async stage(stage) {
      await stage.broadcast({ server_port: 1 });
      await stage.broadcast();
      return AT_HOME;
    },
  },
  'one whose details the schema of the operator refuses': {
    cause: 'invalid_request',
    says: /refused what the game server says of itself: .*map/,
    environment: { GSLS_DETAILS_SCHEMA: 'schema.json' },
    async stage(stage) {
      await stage.broadcast();
      return AT_HOME;
    },
  },
  'one that announces IPv4 while its machine asks by IPv6': {
    cause: 'wrong_ip_family',
    says: /8\.8\.4\.4.*2001:4860/,
    stage: async () => ({ ...AT_HOME, from: HOME_V6 }),
  },
  'one that announces an address of its home network': {
    cause: 'private_address',
    isListed: true,
    says: /private network.*192\.168\.0\.7/,
    async stage(stage) {
      await stage.broadcast({ server_ip: '192.168.0.7' });
      return AT_HOME;
    },
  },
  'one behind a carrier-grade NAT': {
    cause: 'carrier_nat_address',
    says: /100\.64\.1\.2/,
    stage: async () => ({ host: '100.64.1.2', port: 7777 }),
  },
  'one that announces the address of its container': {
    cause: 'docker_bridge_address',
    isListed: true,
    says: /Docker.*172\.17\.0\.2/,
    async stage(stage) {
      const answer = await stage.broadcast({ server_ip: '172.17.0.2' }, CLAIM);
      return { port: 7777, token: tokenOf(answer) };
    },
  },
  'one at another address than the one of who asks': {
    cause: 'other_address',
    says: /8\.8\.4\.4, and the service sees you at 1\.1\.1\.1/,
    async stage(stage) {
      await stage.broadcast();
      await stage.ban({ address: HOME, mode: 'refuse' });
      return { ...AT_HOME, from: '1.1.1.1' };
    },
  },
  'one behind a proxy that is not trusted': {
    cause: 'proxy_not_trusted',
    says: /127\.0\.0\.1/,
    environment: { GSLS_TRUST_PROXY: '10.0.0.0/8' },
    stage: async () => AT_HOME,
  },
  'one that announces another address than it sends from': {
    cause: 'source_mismatch',
    says: /: 203\.0\.113\.7, and it sends from 8\.8\.4\.4$/,
    environment: { GSLS_VERIFY_SOURCE: 'true' },
    async stage(stage) {
      await stage.broadcast({ server_ip: '203.0.113.7' });
      return AT_HOME;
    },
  },
  'one that announces another address than it sends from, asked by that address': {
    cause: 'source_mismatch',
    says: /another address than the one that it sends from: 9\.9\.9\.9, and it sends from 8\.8\.4\.4$/,
    environment: { GSLS_VERIFY_SOURCE: 'true' },
    async stage(stage) {
      await stage.broadcast({ server_ip: '9.9.9.9' });
      return { host: '9.9.9.9', port: 7777 };
    },
  },
  'one that announces another port, and is refused': {
    cause: 'invalid_request',
    says: /refused what the game server says of itself: players must be .*, at port 7778$/,
    async stage(stage) {
      await stage.broadcast({ server_port: 7778, players: -1 });
      return AT_HOME;
    },
  },
  'one that was banned before it broadcast': {
    cause: 'banned',
    says: /^a moderator has banned this game server: ads$/,
    async stage(stage) {
      await stage.ban({ name: 'casino', reason: 'ads' });
      await stage.broadcast({ server_name: 'Casino' });
      return AT_HOME;
    },
  },
  'one without the key': {
    cause: 'unauthorized',
    says: /wants a key/,
    environment: { GSLS_KEY: 'key', GSLS_PUBLIC_READ: 'true' },
    async stage(stage) {
      await stage.broadcast();
      return AT_HOME;
    },
  },
  'one that pings an entry which is gone': {
    cause: 'unknown_server',
    says: /pings an entry that is gone/,
    async stage(stage) {
      await stage.send('POST /ping', aBroadcast({ server_id: 'gone', server_ip: HOME }));
      return AT_HOME;
    },
  },
  'one whose address a claimed entry has': {
    cause: 'address_taken',
    says: /claimed/,
    environment: { GSLS_UNIQUE_ADDRESS: 'true' },
    async stage(stage) {
      await stage.broadcast({ server_ip: '8.8.8.8' }, CLAIM, '8.8.8.8');
      await stage.broadcast({ server_ip: '8.8.8.8' }, CLAIM);
      return AT_HOME;
    },
  },
  'a second process at the address and port of the first': {
    cause: 'address_taken',
    isListed: true,
    says: /^another entry has this host, IP and port, and it is claimed$/,
    environment: { GSLS_UNIQUE_ADDRESS: 'true' },
    async stage(stage) {
      await stage.broadcast({}, CLAIM);
      await stage.broadcast({}, CLAIM);
      return AT_HOME;
    },
  },
  'one whose pings are refused, and which is about to leave the list': {
    cause: 'invalid_request',
    isListed: true,
    says: /refused what the game server says of itself: players must be/,
    async stage(stage) {
      const { body } = await stage.broadcast();
      await stage.clock.advance(1000);
      await stage.send('POST /ping', aBroadcast({ server_id: body.server_id, server_ip: HOME, players: -1 }));
      return AT_HOME;
    },
  },
  'one whose client forgets the token': {
    cause: 'server_token_required',
    says: /wants a Server-Token/,
    environment: { GSLS_REQUIRE_SERVER_TOKEN: 'true' },
    async stage(stage) {
      const { body } = await stage.broadcast();
      await stage.clock.advance(2 * lifetime.ttlMs);
      await stage.send('POST /ping', aBroadcast({ server_id: body.server_id, server_ip: HOME }));
      return AT_HOME;
    },
  },
};

/** What `POST /doctor` answers. */
export interface DiagnosisBody {
  readonly client_address: string;
  readonly listed: boolean;
  readonly cause: string;
  readonly says: string;
  readonly next_step: string;
  readonly entry?: Readonly<Record<string, unknown>>;
  readonly checks: readonly { readonly code: string; readonly result: string; readonly says: string }[];
}

export function askDoctor(stage: Stage, asked: Asked): Promise<TestAnswer> {
  const { host, port, id, token, from, headers } = asked;
  const body = { server_host: host, server_port: port, server_id: id };
  return stage.send(
    'POST /doctor',
    body,
    { ...(token !== undefined && { 'Server-Token': token }), ...headers },
    from,
  );
}

export const bodyOf = ({ text }: TestAnswer): DiagnosisBody => JSON.parse(text) as DiagnosisBody;
