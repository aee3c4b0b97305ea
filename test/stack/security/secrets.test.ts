/**
 * No secret is told: each secret option gets a marker in each way in which it can be given, and no output has one: the
 * log at trace, answers on both ports, complaints and help of the command line. One replica and two complaints are
 * processes, for all that a process prints; the others run here, with the log that a process has.
 */

import { closeSync, openSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Agent, createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { createConfig } from '../../../src/service/config/config.ts';
import { soleDeployment } from '../../../src/service/deployment/deployment.ts';
import type { Flags, OptionName } from '../../../src/service/config/layers.ts';
import type { OptionDefinition } from '../../../src/service/config/option.ts';
import { OPTIONS } from '../../../src/service/config/options.ts';
import { createLog } from '../../../src/runtime/log/log.ts';
import { startService } from '../../../src/service/service.ts';
import { complaintHere, runHere, type Variables } from '../../cli/run-here.ts';
import { complaintOf } from '../../service/config/config-of.ts';
import { ask, type AskOptions } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { openRawConnection } from '../../support/raw-connection.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { runCli, startListeningCli } from '../../support/start-cli.ts';
import { thisProcess } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';
import { useDirectory } from '../../support/use-directory.ts';

type Way = 'flag' | 'variable' | 'file';
/** A secret option, and the way in which it is given. */
type Giving = readonly [name: OptionName, way: Way];

const MARKER = 'hunter2';
/** Different for each option, and long enough for all. */
const secretOf = (name: OptionName): string => `${MARKER}-of-the-${name.toLowerCase()}`;

const ACCESS: readonly OptionName[] = ['key', 'adminKey', 'tokenSecret'];
const OF_REDIS_URL: readonly OptionName[] = [...ACCESS, 'redis'];
const OF_SENTINEL: readonly OptionName[] = [...ACCESS, 'redisPassword', 'redisSentinelPassword'];

/** What the services of this file are started with. */
const GIVINGS: readonly (readonly Giving[])[] = [
  ...(['flag', 'variable'] as const).flatMap((way) =>
    [OF_REDIS_URL, OF_SENTINEL].map((names) => names.map((name) => [name, way] as const)),
  ),
  OF_SENTINEL.map((name) => [name, 'file'] as const),
];

/** What a mirror is started with. */
const GIVINGS_OF_MIRROR: readonly (readonly Giving[])[] = (['flag', 'variable'] as const).map((way) =>
  (['key', 'adminKey', 'mirrorKeys'] as const).map((name) => [name, way] as const),
);

const PATHS = [
  '/',
  '/health',
  '/servers',
  '/stats',
  '/history',
  '/openapi.json',
  '/docs',
  '/metrics',
  '/livez',
  '/readyz',
  '/debug/config',
  '/admin/bans',
  '/admin/servers',
  '/admin/audit',
  '/nowhere',
];

function definitionOf(name: OptionName): OptionDefinition<unknown> {
  return OPTIONS[name];
}

/** The ways in which each secret option can be given, by the table of options. */
function allGivings(): Giving[] {
  const names = (Object.keys(OPTIONS) as OptionName[]).filter((name) => definitionOf(name).secret);
  return names.flatMap((name) =>
    (['flag', 'variable', 'file'] as const)
      .filter((way) => way !== 'file' || `${name}File` in OPTIONS)
      .map((way) => [name, way] as const),
  );
}

/** What every secret begins with, in Base64, at each place that it may have in longer text. */
const IN_BASE64 = [0, 1, 2].map((before) => {
  const bytes = Buffer.from(' '.repeat(before) + secretOf('key').slice(0, 14));
  return bytes.toString('base64').slice(before === 0 ? 0 : 4, Math.floor(bytes.length / 3) * 4);
});

function expectUntold(output: string, what: string): void {
  expect(output.toLowerCase(), what).to.not.include(MARKER);
  for (const encoded of IN_BASE64) expect(output, what).to.not.include(encoded);
}

interface Startable {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * It refuses to let in, and repeats what it was told, as versions of Redis do that do not know AUTH with two arguments.
 */
function startEchoingRedis(): Promise<Startable> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      const words = bytes
        .toString()
        .split('\r\n')
        .filter((word) => !/^[*$]\d+$/.test(word));
      const [command, ...args] = words.filter((word) => word !== '');
      socket.write(
        `-ERR unknown command \`${command}\`, with args beginning with: ${args.map((arg) => `\`${arg}\``).join(', ')}\r\n`,
      );
    });
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        stop: async () => void server.close(),
      }),
    ),
  );
}

/** An origin that refuses, and repeats what it was told. */
function startEchoingOrigin(): Promise<Startable> {
  const server = createHttpServer(({ headers }, response) => {
    response.writeHead(401, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ status: 'error', code: 'unauthorized', error: headers.authorization }));
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        stop: async () => void server.close(),
      }),
    ),
  );
}

/** A Redis that lets in by its password: at once, or by way of a sentinel with another password. */
async function startRedis(isOfUrl: boolean): Promise<Startable> {
  if (isOfUrl) return startRedisServer({ password: secretOf('redis') });
  const password = secretOf('redisPassword');
  const redis = await startRedisServer({ password });
  const sentinel = await startRedisServer({
    password: secretOf('redisSentinelPassword'),
    sentinel: [
      `sentinel monitor mymaster ${redis.host} ${redis.port} 1`,
      `sentinel auth-pass mymaster ${password}`,
    ],
  });
  return { port: sentinel.port, stop: async () => void (await Promise.all([redis.stop(), sentinel.stop()])) };
}

/** Requests with secrets where they do not belong. What is in a path, the log may show. */
async function askWrongly(url: string, secret: string, agent: Agent): Promise<string[]> {
  const OPTIONS_BY_CALL: readonly (readonly [string, AskOptions])[] = [
    ['GET /', { headers: { Authorization: `${secret}x` } }],
    ['GET /', { headers: { Authorization: `Basic ${Buffer.from(`${secret}:x`).toString('base64')}` } }],
    ['GET /', { headers: { 'X-Api-Key': secret } }],
    ['GET /', { headers: { 'X-Request-Id': 'harmless', Cookie: secret, Referer: secret } }],
    ['GET /', { headers: { Host: `${secret} ` } }],
    [`GET /?key=${secret}`, {}],
    [`GET /nowhere?key=${secret}`, { headers: { Authorization: secret } }],
    ['POST /broadcast', { body: aBroadcast({ key: secret }), headers: { Authorization: secret } }],
    ['POST /broadcast', { body: `{"key":"${secret}`, headers: { Authorization: secret } }],
    ['POST /ping', { body: aBroadcast({ server_id: 'x' }), headers: { Authorization: secret } }],
    ['POST /ping', { body: {}, headers: { Authorization: secret, 'Server-Token': secret } }],
    ['POST /broadcast', { body: {}, headers: { Authorization: secret, 'Idempotency-Key': secret } }],
    ['POST /admin/bans', { body: { reason: 5 }, headers: { Authorization: secret } }],
    ['DELETE /metrics', { headers: { Authorization: secret } }],
  ];
  const answers = OPTIONS_BY_CALL.map(async ([call, options]) => {
    const { status, rawHeaders, text } = await ask({ url }, call, { ...options, agent });
    return `${call.split('?')[0]} ${status} ${rawHeaders.join(' ')} ${text}`;
  });
  const raw = [
    `${secret} / HTTP/1.1\r\nHost: a\r\n\r\n`,
    `GET http://${secret}@a/ HTTP/1.1\r\nHost: a\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: a\r\n${secret}\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ${secret}\r\n\r\n`,
  ].map(async (bytes) => {
    const connection = await openRawConnection({ url });
    const answer = await connection.send(bytes).answerOrEnd();
    connection.destroy();
    return `${answer?.status} ${JSON.stringify(answer?.headers)} ${answer?.body.toString()}`;
  });
  return Promise.all([...answers, ...raw]);
}

/** A replica, in this process or another one, on both ports. */
interface Replica {
  readonly url: string;
  readonly opsUrl: string;
  /** Ends it. Resolves with all that it has printed. */
  end(): Promise<string>;
}

async function askRightly(url: string, path: string, authorization: string, agent: Agent): Promise<string> {
  const headers = { Authorization: authorization };
  const { status, rawHeaders, text } = await ask({ url }, `GET ${path}`, { headers, agent });
  return `${path} ${status} ${rawHeaders.join(' ')} ${text}`;
}

async function expectNoneTold(replica: Replica): Promise<void> {
  const secrets = ACCESS.map(secretOf);
  // At once, as each may wait for a Redis that does not let in; but over fewer connections than an address may have.
  const askAll = async (port: string): Promise<readonly string[]> => {
    const agent = new Agent({ maxSockets: 32 });
    const rightly = await Promise.all(
      PATHS.flatMap((path) => ['', ...secrets].map((key) => askRightly(port, path, key, agent))),
    );
    const wrongly = await Promise.all(secrets.map((secret) => askWrongly(port, secret, agent)));
    return [...rightly, ...wrongly.flat()];
  };
  for (const answer of (await Promise.all([askAll(replica.url), askAll(replica.opsUrl)])).flat())
    expectUntold(answer, answer.slice(0, 40));
  const printed = await replica.end();
  expect(printed).to.include('a request was refused').and.to.include('a request was answered');
  for (const line of printed.split('\n')) expectUntold(line, line.slice(0, 200));
}

needs('redis-server').describe('a secret', function () {
  this.timeout(120_000);
  const newPath = useDirectory();
  const started: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of started.splice(0).toReversed()) await stop();
  });

  it('is given below in each way in which it can be', () => {
    const given = [...GIVINGS, ...GIVINGS_OF_MIRROR].flat().map((giving) => giving.join(' by '));
    expect(new Set(given)).to.include.all.keys(allGivings().map((giving) => giving.join(' by ')));
  });

  interface Given {
    readonly flags: Flags;
    readonly environment: Readonly<Record<string, string>>;
  }

  /** Gives the secrets, and says where Redis is. */
  async function giveAll(givings: readonly Giving[], redisPort: number): Promise<Given> {
    const flags: Partial<Record<OptionName, readonly string[]>> = {};
    const environment: Record<string, string> = {};
    for (const [name, way] of givings) {
      const secret =
        name === 'redis'
          ? `redis://:${secretOf(name)}@127.0.0.1:${redisPort}`
          : `${name === 'mirrorKeys' ? 'origin=' : ''}${secretOf(name)}`;
      if (way === 'flag') flags[name] = [secret];
      else if (way === 'variable') environment[definitionOf(name).variable] = secret;
      else {
        const path = newPath();
        await writeFile(path, secret);
        environment[definitionOf(`${name}File` as OptionName).variable] = path;
      }
    }
    if (givings.every(([name]) => name !== 'redis'))
      environment['GSLS_REDIS_SENTINEL'] = `127.0.0.1:${redisPort}`;
    return { flags, environment };
  }

  const LOGGING = { port: ['0'], host: ['127.0.0.1'], opsPort: ['0'], logLevel: ['trace'] };

  async function startHere({ flags, environment }: Given): Promise<Replica> {
    const path = newPath();
    const fd = openSync(path, 'w');
    const output = Object.assign(new Writable(), { fd, isTTY: false });
    const { logger, flush } = await createLog({ level: 'trace', format: 'json', output });
    const config = createConfig({
      flags: { ...flags, ...LOGGING },
      environment,
      readFile: (file) => readFileSync(file, 'utf8'),
    });
    const service = await startService({
      deployment: soleDeployment(config),
      logger,
      processes: thisProcess,
    });
    started.push(() => service.close());
    return {
      url: service.url,
      opsUrl: service.opsUrl!,
      async end() {
        await service.close();
        logger.info('the last line');
        await flush();
        // The flush waits no longer than half a second.
        await until(() => readFileSync(path, 'utf8').includes('the last line'));
        closeSync(fd);
        return readFileSync(path, 'utf8');
      },
    };
  }

  async function startProcess({ flags, environment }: Given): Promise<Replica> {
    const args = Object.entries(flags).flatMap(([name, texts]) => [
      definitionOf(name as OptionName).flag,
      ...(texts as readonly string[]),
    ]);
    const cli = await startListeningCli([...args, '--ops-port', '0', '--log-level', 'trace'], environment);
    started.push(() => cli.stop());
    const { opsUrl } = await cli.logged('listening on');
    return {
      url: cli.url,
      opsUrl: opsUrl!,
      async end() {
        cli.kill('SIGINT');
        const { stdout, stderr } = await cli.exited;
        return stdout + stderr;
      },
    };
  }

  for (const [at, givings] of GIVINGS.entries())
    // That Redis refuses differs by where it is, and not by how that is given.
    for (const answers of at < 2 ? [true, false] : [true]) {
      const names = givings.map((giving) => giving.join(' by ')).join(', ');
      const redisDoes = answers ? 'answers' : 'refuses';
      const start = at === 0 && answers ? startProcess : startHere;
      const what = start === startProcess ? 'process' : 'replica';
      it(`is told by no output of a ${what} whose Redis ${redisDoes}: ${names}`, async () => {
        const redis = answers
          ? await startRedis(givings.some(([name]) => name === 'redis'))
          : await startEchoingRedis();
        started.push(() => redis.stop());
        await expectNoneTold(await start(await giveAll(givings, redis.port)));
      });
    }

  for (const givings of GIVINGS_OF_MIRROR)
    it(`is told by no output of a mirror: ${givings.map((giving) => giving.join(' by ')).join(', ')}`, async () => {
      const origin = await startEchoingOrigin();
      started.push(() => origin.stop());
      const { flags, environment } = await giveAll(givings, 0);
      const { GSLS_REDIS_SENTINEL: _, ...others } = environment as Record<string, string>;
      const mirrors = `origin=http://127.0.0.1:${origin.port}`;
      await expectNoneTold(await startHere({ flags, environment: { ...others, GSLS_MIRRORS: mirrors } }));
    });

  it('is told by no complaint about its value', async () => {
    const files = { keys: `${MARKER}\n${MARKER}\u0007\n` };
    for (const [name, way] of allGivings()) {
      const values = way === 'file' ? ['keys'] : [`${MARKER}\u0007`, ` ${MARKER}`];
      const { flag, variable } = definitionOf(way === 'file' ? (`${name}File` as OptionName) : name);
      const option = way === 'file' ? `${name}File` : name;
      for (const value of values) {
        const sources =
          way === 'variable'
            ? { environment: { [variable]: value } }
            : { flags: { [option]: [value] }, files };
        expectUntold(complaintOf(sources), flag);
      }
    }
    const others: readonly Flags[] = [
      { redis: [`redis://:${MARKER}@h:x`] },
      { redis: [`http://${MARKER}@h`] },
      { redis: [`redis://:${MARKER}@h`], redisPassword: [MARKER] },
      { redisSentinel: [`redis://:${MARKER}@h`] },
      { redisCluster: [`${MARKER}@h`] },
      { mirrors: [`https://a:${MARKER}@b`] },
      { mirrors: ['a=https://b'], mirrorKeys: [`c=${MARKER}`] },
      { key: [MARKER], adminKey: [MARKER] },
      { tokenSecret: [MARKER] },
    ];
    for (const flags of others) expectUntold(complaintOf({ flags }), JSON.stringify(flags));
  });

  it('is told by no complaint of the command line, and by no help', async () => {
    const variables = Object.fromEntries(
      allGivings()
        .filter(([, way]) => way === 'variable')
        .map(([name]) => [
          definitionOf(name).variable,
          name === 'redis' ? `redis://:${MARKER}@h` : `${MARKER} long enough`,
        ]),
    );
    const COMPLAINTS: readonly (readonly [
      exitCode: 1 | 2,
      args: readonly string[],
      environment?: Variables,
    ])[] = [
      [2, [], variables],
      [2, ['--key', 'my', MARKER]],
      [2, [`--kye=${MARKER}`]],
      [1, ['healthcheck', '--key', MARKER, '--host', '127.0.0.1', '--port', '1']],
      [2, ['healthcheck', MARKER]],
      [1, ['reset', '--yes', '--redis', `redis://:${MARKER}@127.0.0.1:1`]],
      [1, ['ban', 'list', '--admin-key', MARKER, '--url', 'http://127.0.0.1:1']],
      [2, ['ban', 'list', '--url', `http://a:${MARKER}@h`], { GSLS_ADMIN_KEY: MARKER }],
    ];
    for (const [exitCode, args, environment] of COMPLAINTS)
      expectUntold(await complaintHere(exitCode, args, environment), args[0] ?? 'gsls');
    for (const args of [['--help'], ['help', 'options'], ['help', 'ban']]) {
      const help = await runHere(args, variables);
      expect(help).to.not.equal('');
      expectUntold(help, args[0]!);
    }
    const ofProcesses = await Promise.all([runCli([], variables), runCli(['--help'], variables)]);
    for (const { stdout, stderr } of ofProcesses) {
      expect(stdout + stderr).to.not.equal('');
      expectUntold(stdout + stderr, 'gsls');
    }
  });
});
