/** How a game server is kept listed by the rules of docs/game-servers.md, on a clock of the test. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { createRandom } from '../../../src/tools/demo/random.ts';
import { runs } from '../../support/runs.ts';
import {
  aSettings,
  anError,
  PING_INTERVAL_MS,
  Simulation,
  TTL_MS,
  type SentRequest,
} from './support/simulation.ts';

const SILENT = { is: 'silent', why: 'no answer on UDP 127.0.0.1:27015' } as const;
const QUERY_INTERVAL_MS = 5000;

/** With a game server that is listed. */
async function aListed(...from: ConstructorParameters<typeof Simulation>): Promise<Simulation> {
  const simulation = new Simulation(...from);
  simulation.announcing.start();
  await simulation.pass(1000);
  return simulation;
}

/** The requests, with the hosts that they name. */
function hosts({ requests }: Simulation): readonly unknown[] {
  return requests.map(({ kind, body }) => `${kind} ${String(body['server_host'])}`);
}

/** Answers once with each, then as usual. */
function inTurn(...answers: readonly (() => Response)[]): (request: SentRequest) => Response | undefined {
  const left = [...answers];
  return () => left.shift()?.();
}

describe('gsls announce', () => {
  it('broadcasts at once with all that the game tells and a person adds, and pings each interval', async () => {
    const simulation = await aListed([aSettings({ details: { region: 'eu' }, name: 'By a person' })]);
    const [broadcast] = simulation.requests;
    expect(broadcast!.body).to.deep.equal({
      server_host: 'eu1.example.com',
      server_name: 'By a person',
      server_port: 27_015,
      server_ip: 'auto',
      players: 3,
      max_players: 16,
      region: 'eu',
    });
    expect(broadcast!.headers.get('Server-Token')).to.equal('claim');
    const from = simulation.now;
    await simulation.pass(3 * PING_INTERVAL_MS);
    expect(simulation.sentSince(from)).to.deep.equal(['ping 9', 'ping 29', 'ping 49']);
  });

  it('sends what changes with the next ping, and not sooner', async () => {
    const simulation = await aListed();
    const from = simulation.now;
    simulation.reading = { is: 'told', state: { name: 'Frankfurt 1', players: 9, maxPlayers: 16 } };
    await simulation.pass(PING_INTERVAL_MS);
    expect(simulation.sentSince(from)).to.deep.equal(['ping 9']);
    expect(simulation.requests.at(-1)!.body).to.include({ players: 9, server_id: 'id-at-one.test' });
  });

  it('keeps a game server listed that loses two answers in a row, again and again', async () => {
    const simulation = await aListed();
    const { reading } = simulation;
    for (let n = 0; n < 40; n += 1) {
      simulation.reading = n % 3 === 0 ? reading : SILENT;
      await simulation.pass(QUERY_INTERVAL_MS);
      expect(simulation.isListed()).to.equal(true);
    }
    expect(simulation.warnings()).to.deep.equal([]);
  });

  it('lets a game server that died leave with its TTL, and brings it back with its id at once', async () => {
    const simulation = await aListed();
    const { reading } = simulation;
    simulation.reading = SILENT;
    await simulation.pass(3 * QUERY_INTERVAL_MS);
    const from = simulation.now;
    await simulation.pass(TTL_MS);
    expect(simulation.sentSince(from)).to.deep.equal([]);
    expect(simulation.isListed()).to.equal(false);
    expect(simulation.announcing.servers[0]!.isListed).to.equal(false);
    simulation.reading = reading;
    const back = simulation.now;
    await simulation.pass(QUERY_INTERVAL_MS);
    expect(simulation.requests.at(-1)).to.deep.include({ kind: 'ping' });
    expect(simulation.requests.at(-1)!.body['server_id']).to.equal('id-at-one.test');
    expect(simulation.requests.at(-1)!.at - back).to.be.at.most(QUERY_INTERVAL_MS);
    expect(simulation.isListed()).to.equal(true);
    expect(simulation.lines.map(({ text }) => text)).to.include(
      'The game server is listed again as id-at-one.test.',
    );
    expect(simulation.warnings()).to.deep.equal([
      'The game server is away, and its entry stays until it expires: no answer on UDP 127.0.0.1:27015.',
    ]);
  });

  it('is no faster because a game server dies and comes back all the time', async () => {
    const simulation = await aListed();
    const { reading } = simulation;
    const from = simulation.now;
    for (let n = 0; n < 30; n += 1) {
      simulation.reading = n % 4 === 3 ? reading : SILENT;
      await simulation.pass(QUERY_INTERVAL_MS);
    }
    const most = (30 * QUERY_INTERVAL_MS) / (0.9 * PING_INTERVAL_MS);
    expect(simulation.sentSince(from).length).to.be.at.most(Math.ceil(most));
  });

  it('lists nothing before the game has answered, and says why it waits', async () => {
    const simulation = new Simulation();
    const { reading } = simulation;
    simulation.reading = { is: 'refused', why: 'UDP 127.0.0.1:27015 refused the query' };
    simulation.announcing.start();
    await simulation.pass(8000);
    expect(simulation.requests).to.deep.equal([]);
    expect(simulation.warnings()).to.deep.equal([
      'The game server does not answer yet: UDP 127.0.0.1:27015 refused the query.',
    ]);
    simulation.reading = reading;
    await simulation.pass(QUERY_INTERVAL_MS);
    expect(simulation.isListed()).to.equal(true);
  });

  it('names the option for what the game does not tell', async () => {
    const simulation = new Simulation();
    simulation.reading = { is: 'told', state: { players: 3 } };
    simulation.announcing.start();
    await simulation.pass(60_000);
    expect(simulation.requests).to.deep.equal([]);
    expect(simulation.warnings()).to.deep.equal([
      'The game server is not listed: the game server does not tell its name: give --name, nor how many players it takes: give --max-players.',
    ]);
  });
});

describe('the host that nobody has named', () => {
  const NAMELESS = aSettings({ host: 'ubuntu-4gb-1', isHostOfMachine: true });

  it('is the address that the service sees, where the name of the machine does not lead to it', async () => {
    const simulation = await aListed([NAMELESS]);
    await simulation.pass(PING_INTERVAL_MS);
    expect(hosts(simulation)).to.deep.equal([
      'doctor undefined',
      'broadcast 203.0.113.7',
      'ping 203.0.113.7',
    ]);
    expect(simulation.warnings()).to.deep.equal([
      'The name of this machine, ubuntu-4gb-1, does not lead to 203.0.113.7, the address that the service sees: that is listed as host. --host gives it a name.',
    ]);
  });

  it('is the name of the machine, where that leads to the address', async () => {
    const simulation = new Simulation([NAMELESS, { ...NAMELESS, port: 27_016, identity: ':27016' }]);
    simulation.addresses = ['2001:db8::1', '203.0.113.7'];
    simulation.announcing.start();
    await simulation.pass(QUERY_INTERVAL_MS);
    const named = 'broadcast ubuntu-4gb-1';
    expect(hosts(simulation)).to.deep.equal(['doctor undefined', named, named]);
    expect(simulation.warnings()).to.deep.equal([]);
  });

  it('is the address that a person announces', async () => {
    const simulation = await aListed([{ ...NAMELESS, ip: '198.51.100.1' }]);
    expect(hosts(simulation)).to.deep.equal(['broadcast 198.51.100.1']);
  });

  it('is the name of the machine at a service that does not say the address, and that is told', async () => {
    const simulation = new Simulation([NAMELESS]);
    simulation.script = ({ kind }) => (kind === 'doctor' ? anError(404, 'not_found') : undefined);
    simulation.announcing.start();
    await simulation.pass(1000);
    expect(hosts(simulation).at(-1)).to.equal('broadcast ubuntu-4gb-1');
    expect(simulation.warnings()).to.have.length(1);
  });

  it('is settled before the first broadcast, which would be another one with another host', async () => {
    const simulation = new Simulation([NAMELESS]);
    simulation.script = inTurn(() => anError(503, 'overloaded'));
    simulation.announcing.start();
    await simulation.pass(QUERY_INTERVAL_MS);
    expect(hosts(simulation)).to.deep.equal([
      'doctor undefined',
      'doctor undefined',
      'broadcast 203.0.113.7',
    ]);
  });
});

describe('gsls announce, after an error of the service', () => {
  it('waits as long as Retry-After says, and names the option of the operator', async () => {
    for (const [status, code, hint] of [
      [429, 'rate_limited', / The operator .* --rate-limit\. The next/],
      [429, 'quota_exceeded', / --quota-exempt\. The next/],
      [503, 'overloaded', /said overloaded\. The next broadcast is in 90 s\.$/],
    ] as const) {
      const simulation = new Simulation();
      simulation.script = inTurn(() => anError(status, code, { 'Retry-After': '90' }));
      simulation.announcing.start();
      await simulation.pass(100_000);
      const [{ at: from }] = simulation.requests as unknown as [SentRequest];
      expect(simulation.sentSince(from)[1], code).to.equal('broadcast 90');
      expect(simulation.warnings()).to.have.length(1);
      expect(simulation.warnings()[0]).to.match(hint);
    }
  });

  it('keeps its id and its pace through an hour of 503, and tells it once', async () => {
    const simulation = await aListed();
    simulation.script = () => anError(503, 'registry_unavailable');
    const from = simulation.now;
    await simulation.pass(3_600_000);
    expect(simulation.sentSince(from).length).to.be.below(3600 / (0.5 * 20) + 5);
    expect(simulation.sentSince(from).every((each) => each.startsWith('ping '))).to.equal(true);
    simulation.script = () => undefined;
    const mended = simulation.now;
    await simulation.pass(PING_INTERVAL_MS);
    expect(simulation.sentSince(mended).length).to.be.at.least(1);
    expect(simulation.requests.at(-1)!.body['server_id']).to.equal('id-at-one.test');
    expect(simulation.warnings()).to.have.length(1);
  });

  it('is not held up at one service by another that hangs or refuses', async () => {
    const services = ['http://one.test', 'http://two.test', 'http://three.test'].map((url) => ({
      url,
      key: undefined,
    }));
    const simulation = new Simulation([aSettings({ services })]);
    simulation.script = ({ service }) => {
      if (service === 'http://one.test') return 'hang';
      return service === 'http://two.test' ? anError(401, 'unauthorized') : undefined;
    };
    simulation.announcing.start();
    await simulation.pass(TTL_MS);
    expect(simulation.isListed('http://three.test')).to.equal(true);
    expect(simulation.requests.filter(({ service }) => service === 'http://two.test')).to.have.length(1);
    expect(simulation.announcing.servers[0]!.isListed).to.equal(true);
    void simulation.announcing.close(10);
    await simulation.pass(100);
  });

  it('never sends more than the rules allow, whatever is answered', async () => {
    const answers: readonly (() => Response | undefined)[] = [
      () => undefined,
      () => anError(404, 'unknown_server'),
      () => anError(403, 'not_owner'),
      () => anError(403, 'ip_mismatch'),
      () => anError(409, 'address_taken'),
      () => anError(400, 'invalid_request'),
      () => anError(503, 'overloaded', { 'Retry-After': '30' }),
      () => anError(429, 'rate_limited', { 'Retry-After': 'soon' }),
      () => new Response('<html>', { status: 200 }),
      () => new Response(null, { status: 302, headers: { Location: 'http://elsewhere.test' } }),
    ];
    const aStep = fc.record({ answer: fc.nat(answers.length - 1), isUp: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(aStep, { minLength: 5, maxLength: 40 }),
        fc.integer(),
        async (steps, seed) => {
          const simulation = new Simulation([aSettings()], createRandom(seed));
          const { reading } = simulation;
          let step = 0;
          let notBefore = 0;
          simulation.script = ({ at }) => {
            expect(at).to.be.at.least(notBefore);
            const answer = answers[steps[step % steps.length]!.answer]!();
            notBefore = at + 1000 * (Number(answer?.headers.get('Retry-After')) || 0);
            return answer;
          };
          simulation.announcing.start();
          for (step = 0; step < steps.length; step += 1) {
            simulation.reading = steps[step]!.isUp ? reading : SILENT;
            await simulation.pass(QUERY_INTERVAL_MS);
          }
          expect(simulation.warnings().join()).to.not.include('AssertionError');
          for (const { at } of simulation.requests) {
            const inTenSeconds = simulation.requests.filter((each) => each.at >= at && each.at < at + 10_000);
            // A ping, one that asks for a broadcast at once, and the pauses of 1, 2 and 4 s, all halved, after each.
            expect(inTenSeconds.length).to.be.at.most(10);
          }
        },
      ),
      { numRuns: runs(25) },
    );
  });
});

describe('the end of gsls announce', () => {
  it('takes its entries off all lists at once', async () => {
    const services = ['http://one.test', 'http://two.test'].map((url) => ({ url, key: undefined }));
    const simulation = await aListed([aSettings({ services })]);
    const closing = simulation.announcing.close(2000);
    await simulation.pass(0);
    expect(await closing).to.equal(0);
    expect([simulation.isListed(), simulation.isListed('http://two.test')]).to.deep.equal([false, false]);
    expect(simulation.requests.at(-1)!.body).to.deep.equal({
      server_id: 'id-at-two.test',
      server_ip: 'auto',
      keep_id: true,
    });
    expect(simulation.lines.at(-1)!.text).to.equal(
      'The game server left the list, and its token keeps the id id-at-two.test.',
    );
    const from = simulation.now;
    await simulation.pass(TTL_MS);
    expect(simulation.sentSince(from + 1)).to.deep.equal([]);
  });

  it('takes no longer than its limit where a service hangs, and removes at the others', async () => {
    const services = ['http://one.test', 'http://two.test'].map((url) => ({ url, key: undefined }));
    const simulation = await aListed([aSettings({ services })]);
    simulation.script = ({ service }) => (service === 'http://one.test' ? 'hang' : undefined);
    await simulation.pass(PING_INTERVAL_MS);
    const closing = simulation.announcing.close(2000);
    await simulation.pass(2000);
    expect(await closing).to.equal(1);
    expect(simulation.isListed('http://two.test')).to.equal(false);
    expect(simulation.warnings().at(-1)).to.match(
      /^The service did not answer: .*\. The entry id-at-one\.test stays until it expires\.$/,
    );
  });

  it('gives up its ids where it is told to', async () => {
    const simulation = await aListed(undefined, undefined, undefined, false);
    const closing = simulation.announcing.close(2000);
    await simulation.pass(0);
    await closing;
    expect(simulation.requests.at(-1)!.body).to.deep.equal({
      server_id: 'id-at-one.test',
      server_ip: 'auto',
    });
    expect(simulation.lines.at(-1)!.text).to.match(/the id id-at-one\.test is given up\.$/);
  });

  it('repeats a remove whose connection was cut off', async () => {
    const simulation = await aListed();
    let cut = 0;
    simulation.script = ({ kind }) => {
      if (kind !== 'remove' || cut > 0) return undefined;
      cut += 1;
      throw Object.assign(new Error('fetch failed'), {
        cause: Object.assign(new Error(), { code: 'ECONNRESET' }),
      });
    };
    const closing = simulation.announcing.close(2000);
    await simulation.pass(100);
    expect(await closing).to.equal(0);
    expect(simulation.isListed()).to.equal(false);
  });
});

describe('what gsls announce tells', () => {
  it('is verification and join code when they change, and no token', async () => {
    const simulation = new Simulation();
    let verification = 'no answer on UDP 203.0.113.7:27015 within 3 s: is the port open?';
    simulation.script = ({ body }) =>
      Response.json(
        { status: 'success', server_id: body['server_id'] ?? 'an-id' },
        {
          headers: {
            'Server-Verification': verification,
            'Server-Join-Code': 'K7QX-2M4D',
            'Server-Token': 'a-secret-token',
          },
        },
      );
    simulation.announcing.start();
    await simulation.pass(TTL_MS);
    verification = 'verified';
    await simulation.pass(TTL_MS);
    const texts = simulation.lines.map(({ text }) => text);
    expect(texts.filter((text) => / look at | join code /.test(text))).to.deep.equal([
      'The service says of its look at the game server: no answer on UDP 203.0.113.7:27015 within 3 s: is the port open?',
      'Players find the game server by the join code K7QX-2M4D.',
      'The service says of its look at the game server: verified.',
    ]);
    expect(JSON.stringify(simulation.lines)).to.not.include('a-secret-token');
    expect([...simulation.tokens.values()]).to.deep.equal(['a-secret-token']);
  });

  it('keeps its id with the token that it had', async () => {
    const simulation = new Simulation(undefined, undefined, {
      'http://one.test 127.0.0.1:27015': 'token-from-before',
    });
    simulation.announcing.start();
    await simulation.pass(1000);
    expect(simulation.announcing.servers[0]!.listings[0]!.listing.id).to.equal('from-before');
  });
});
