/**
 * The stack of docker-compose.yml, as it is, through the days of an operator: clients must not notice any of it. Needs
 * Docker or podman; CI gets podman by .ci/compose.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { Checker } from '../support/load/checker.ts';
import { FULL_LOAD, Load } from '../support/load/load.ts';
import { Recorder } from '../support/load/recorder.ts';
import { ask, type Address } from '../support/ask.ts';
import { freePort } from '../support/free-port.ts';
import { useDirectory } from '../support/use-directory.ts';
import { Prometheus, type Target } from './support/prometheus.ts';
import { findEngine, Stack, type Service } from './support/stack.ts';

/** Those of the service. */
const TTL_MS = 60_000;
const STOPS_WITHIN_MS = 10_000;
/** Clients ping more often than they have to, so that a short test has many pings. */
const PING_INTERVAL_MS = 1000;
const LOAD = {
  fleet: 50,
  broadcastsPerSecond: 5,
  listsPerSecond: 20,
  giveUpAfterMs: 5000,
  shareOfRemovals: 0,
};
/** Enough for each client to ask once more. */
const ASK_AGAIN_MS = 2 * PING_INTERVAL_MS;
const REPLICAS = 3;
/** All but Grafana, for which Debian has no package. */
const SERVICES: readonly Service[] = ['redis', 'gsls', 'haproxy', 'prometheus'];
const POLL_MS = 100;
/** A container is up and healthy by then, also on a busy machine. */
const LONGEST_WAIT_MS = 60_000;

/** Also for a signal: with `exit` the stack is removed. */
const end = (): never => process.exit(1);

describe('the stack of docker-compose.yml', function () {
  const engine = findEngine();
  if (engine === undefined) {
    it('needs docker compose or podman-compose, which are not here', function () {
      if (process.env['CI']) throw new Error('neither works, and CI has to test the stack: see .ci/compose');
      this.skip();
    });
    return;
  }
  // To build the image, a slow machine may need minutes.
  this.timeout(600_000);
  // Each test begins with the stack that the one before has left.
  this.bail(true);

  const newPath = useDirectory();
  let front: Address;
  /** The ports of this machine. */
  let ports: Record<string, string>;
  let stack: Stack;
  let prometheus: Prometheus;
  let load: Load;
  let recorder: Recorder;
  let checker: Checker;

  const clean = (): void => stack.removeLeftovers();

  before(async () => {
    front = { host: '127.0.0.1', port: await freePort() };
    const port = await freePort();
    prometheus = new Prometheus(port);
    ports = { GSLS_PORT: String(front.port), GSLS_PROMETHEUS_PORT: String(port) };
    stack = new Stack(engine, ports);
    process.once('exit', clean);
    process.once('SIGINT', end);
    process.once('SIGTERM', end);
    stack.removeLeftovers();
    recorder = new Recorder();
    checker = new Checker(recorder, TTL_MS);
    load = new Load({ front, serving: [], ttlMs: 3 * PING_INTERVAL_MS }, recorder, checker, {
      ...FULL_LOAD,
      ...LOAD,
    });
  });

  after('nothing is left behind', async () => {
    await load?.stop();
    clean();
    process.off('exit', clean);
    process.off('SIGINT', end);
    process.off('SIGTERM', end);
  });

  afterEach('what the containers said', async function () {
    if (this.currentTest?.state !== 'failed') return;
    for (const service of SERVICES)
      for (const container of await stack.containers(service))
        console.log(`${container}:\n${(await stack.log(container)).split('\n').slice(-20).join('\n')}`);
  });

  it('is built, starts, and becomes healthy', async () => {
    await stack.build();
    await stack.up(REPLICAS, 'haproxy', 'prometheus');
    await healthy(REPLICAS);
  });

  it('holds each container to its limits and its rights', async () => {
    for (const container of await allContainers()) {
      const { Memory, NanoCpus, ReadonlyRootfs, SecurityOpt } = JSON.parse(
        await stack.inspect(container, '{{json .HostConfig}}'),
      ) as Record<string, unknown>;
      expect(Memory, container).to.be.within(2 ** 29, 2 ** 30);
      expect({ NanoCpus, ReadonlyRootfs }, container).to.deep.equal({ NanoCpus: 1e9, ReadonlyRootfs: true });
      expect(String(SecurityOpt), container).to.include('no-new-privileges');
      expect(await stack.exec(container, 'grep', 'Cap', '/proc/1/status')).to.match(/^CapEff:\s0+$/m);
    }
  });

  it('lets no client without the password use Redis, and does not show the password', async () => {
    const [redis] = await stack.containers('redis');
    expect(await stack.exec(redis!, 'redis-cli', 'ping')).to.include('NOAUTH');
    expect(await stack.exec(redis!, 'cat', '/proc/1/cmdline')).to.not.include('repository');
  });

  it('publishes the port of HAProxy, and to this machine alone that of Prometheus', async () => {
    const published: string[] = [];
    for (const container of await allContainers()) {
      const bindings = JSON.parse(
        await stack.inspect(container, '{{json .HostConfig.PortBindings}}'),
      ) as Record<string, { HostIp: string }[] | null> | null;
      for (const [port, addresses] of Object.entries(bindings ?? {}))
        for (const { HostIp } of addresses ?? []) published.push(`${port} ${HostIp}`);
    }
    expect(published.toSorted()).to.deep.equal(['53600/tcp ', '9090/tcp 127.0.0.1']);
  });

  it('is scraped replica by replica, and the alerts are watched for', async () => {
    await scraped(REPLICAS);
    const rules = readFileSync(new URL('../../deploy/prometheus/alerts.yml', import.meta.url), 'utf8');
    const alerts = Array.from(rules.matchAll(/^ *- alert: (\S+)$/gm), ([, name]) => name!);
    expect(alerts).to.not.deep.equal([]);
    expect(await prometheus.alerts()).to.have.members(alerts);
  });

  it('serves every client while nothing happens', async () => {
    await load.start();
    await unnoticed(async () => undefined);
  });

  it('grows without a failed request, and HAProxy finds the new replicas', async () => {
    await unnoticed(async () => {
      await stack.up(REPLICAS + 2, 'gsls');
      await healthy(REPLICAS + 2);
      await eventually('HAProxy knows 5 replicas', async () => (await placesTaken()) === REPLICAS + 2);
      await scraped(REPLICAS + 2);
    });
  });

  it('shrinks without a failed request', async () => {
    await unnoticed(async () => {
      await stack.up(REPLICAS, 'gsls');
      await healthy(REPLICAS);
    });
  });

  it('hides the crash of a replica from every client, and starts the replica again', async () => {
    await unnoticed(async () => {
      const [replica] = await stack.containers('gsls');
      const before = await stack.startedAt(replica!);
      await stack.crash(replica!);
      await eventually('it runs again', async () => (await stack.startedAt(replica!)) !== before);
      await healthy(REPLICAS);
    });
  });

  it('hides it from every client when each replica is replaced, one after the other', async () => {
    const before = await scraped(REPLICAS);
    await unnoticed(async () => {
      for (const replica of await stack.containers('gsls')) {
        const from = performance.now();
        expect(await stack.remove(replica)).to.equal(0);
        expect(performance.now() - from).to.be.below(STOPS_WITHIN_MS);
        const others = await stack.containers('gsls');
        await stack.up(REPLICAS, 'gsls');
        for (const replacement of await stack.containers('gsls'))
          if (!others.includes(replacement)) await isHealthy(replacement);
      }
    });
    const after = await scraped(REPLICAS);
    expect(after.filter((instance) => before.includes(instance))).to.deep.equal([]);
  });

  it('keeps all entries when Redis is restarted, and gives lists meanwhile', async () => {
    const outage = recorder.beginOutage(false);
    const failures = await failuresDuring(async () => {
      const [redis] = await stack.containers('redis');
      await stack.restart(redis!);
      await healthy(REPLICAS);
    });
    outage.to = performance.now();
    expect(checker.reasons).to.deep.equal([]);
    expect(failures.filter((failure) => !/^(broadcast|ping|remove) 503×/.test(failure))).to.deep.equal([]);
    await unnoticed(async () => undefined);
  });

  it('has fired no alert in all this time', async () => {
    expect(await prometheus.query('count_over_time(gsls_game_servers[30m])')).to.not.deep.equal([]);
    const fired = await prometheus.query('count_over_time(ALERTS{alertstate="firing"}[30m])');
    expect(fired.map(({ alertname }) => alertname)).to.deep.equal([]);
  });

  it('takes a password and keys from files of the operator', async () => {
    const [password, keys] = [newPath(), newPath()];
    writeFileSync(password, 'their "own" $word\n');
    writeFileSync(keys, '# of the lobby\n\nfirst key\nsecond key\n');
    await load.stop();
    stack.clear();
    stack = new Stack(engine, { ...ports, GSLS_REDIS_PASSWORD_FILE: password, GSLS_KEY_FILE: keys });
    await stack.up(1, 'haproxy', 'prometheus');
    await healthy(1);
    await expectKey('first key');
    await expectKey('second key');
    await scraped(1);
    const [redis] = await stack.containers('redis');
    expect(
      await stack.exec(
        redis!,
        'env',
        'REDISCLI_AUTH=known-to-all-who-read-this-repository',
        'redis-cli',
        'ping',
      ),
    ).to.include('NOAUTH');
  });

  it('takes a key and one of moderators from variables', async () => {
    stack.clear();
    stack = new Stack(engine, { ...ports, GSLS_KEY: '#1 $key', GSLS_ADMIN_KEY: 'boss' });
    await stack.up(1, 'haproxy', 'prometheus');
    await healthy(1);
    await expectKey('#1 $key');
    await scraped(1);
    const [replica] = await stack.containers('gsls');
    const command = ['node', 'dist/cli.js', 'ban', 'list', '--json'];
    expect(JSON.parse(await stack.exec(replica!, ...command))).to.have.property('bans');
  });

  it('leaves nothing behind when it is taken down', async () => {
    await stack.down();
    expect(stack.leftovers()).to.deep.equal([]);
  });

  /** The service is open with the key only. */
  async function expectKey(key: string): Promise<void> {
    const headers = { Authorization: `Bearer ${key}` };
    expect(await ask(front, 'GET /')).to.include({ status: 401 });
    expect(await ask(front, 'GET /', { headers })).to.include({ status: 200 });
  }

  /** Waits until there are so many replicas, and they, HAProxy and Redis are healthy. */
  async function healthy(replicas: number): Promise<void> {
    await eventually(
      `there are ${replicas} replicas`,
      async () => (await stack.containers('gsls')).length === replicas,
    );
    for (const service of SERVICES)
      for (const container of await stack.containers(service)) await isHealthy(container);
  }

  async function allContainers(): Promise<string[]> {
    return (await Promise.all(SERVICES.map((service) => stack.containers(service)))).flat();
  }

  /** Waits until Prometheus scrapes HAProxy and so many replicas. Resolves with the addresses of the replicas. */
  async function scraped(replicas: number): Promise<string[]> {
    let targets: Target[] = [];
    const instancesOf = (wanted: string): string[] =>
      targets.filter(({ job }) => job === wanted).map(({ instance }) => instance);
    await eventually(`Prometheus scrapes ${replicas} replicas`, async () => {
      targets = await prometheus.targets();
      const counts = [instancesOf('gsls').length, instancesOf('haproxy').length];
      return targets.every(({ isUp }) => isUp) && counts.join() === [replicas, 1].join();
    });
    return instancesOf('gsls');
  }

  async function isHealthy(container: string): Promise<void> {
    await eventually(`${container} is healthy`, () => stack.isHealthy(container));
  }

  /** How many replicas HAProxy has found at the same time, at the most. */
  async function placesTaken(): Promise<number> {
    const [haproxy] = await stack.containers('haproxy');
    const found = (await stack.log(haproxy!)).matchAll(/Server (replicas\/\S+) \S+ is UP/g);
    return new Set(Array.from(found, ([, place]) => place)).size;
  }

  /** No request fails, and all lists are right, while the work is done and shortly after. */
  async function unnoticed(work: () => Promise<void>): Promise<void> {
    expect(await failuresDuring(work)).to.deep.equal([]);
    expect(checker.reasons).to.deep.equal([]);
  }

  /** Which requests failed, and how many: as `ping 503×41`. */
  async function failuresDuring(work: () => Promise<void>): Promise<string[]> {
    checker.reset();
    const first = recorder.operations.length;
    await work();
    await delay(ASK_AGAIN_MS);
    const operations = recorder.operations.slice(first);
    expect(operations.length).to.be.above(LOAD.fleet);
    const counts = new Map<string, number>();
    for (const { kind, outcome } of operations)
      if (outcome !== '200') counts.set(`${kind} ${outcome}`, (counts.get(`${kind} ${outcome}`) ?? 0) + 1);
    return Array.from(counts, ([failure, count]) => `${failure}×${count}`);
  }
});

/** Waits until the condition holds, and says so if it does not in time. */
async function eventually(what: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await delay(POLL_MS);
  }
}
