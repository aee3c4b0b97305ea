/** What the doctor does not tell: of unlisted entries, of silent bans, and of the addresses of others. */

import { expect } from 'chai';
import { assert, asyncProperty, constantFrom, option, record } from 'fast-check';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import { createUnlistedId } from '../../../src/model/unlisted-id.ts';
import {
  ADMIN_KEY,
  askDoctor,
  bodyOf,
  CLAIM,
  HOME,
  HOME_V6,
  openStage,
  type Asked,
  type Stage,
} from '../../support/doctor-stages.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { valueOf } from '../../support/metrics.ts';
import { lifetime } from '../../support/registry-fixture.ts';

describe('the doctor', () => {
  let stage: Stage;
  const open = async (environment: Record<string, string> = {}): Promise<void> => {
    const clock = new ManualClock(Date.now());
    stage = await openStage(
      { clock, open: async (rules) => new MemoryRegistry({ lifetime, clock, ...rules }) },
      environment,
    );
  };
  afterEach(() => stage.close());
  const textOf = async (asked: Asked): Promise<string> => (await askDoctor(stage, asked)).text;

  it('answers an unlisted id without its token as an unknown one, to the byte', async () => {
    await open();
    const { body, headers } = await stage.broadcast({ unlisted: true }, CLAIM);
    const token = String(headers['server-token']);
    const other = await stage.broadcast({ server_port: 8 }, CLAIM, '8.8.8.8');
    const nearly = token.slice(0, -1) + (token.endsWith('A') ? 'E' : 'A');
    const tokens = [undefined, 'guess', nearly, String(other.headers['server-token'])];
    for (const from of [HOME, '1.1.1.1', HOME_V6])
      for (const wrong of tokens)
        for (const asked of [{}, { port: 7777 }, { host: HOME, port: 7777 }] as Asked[]) {
          const about = { ...asked, from, ...(wrong !== undefined && { token: wrong }) };
          const unknown = await textOf({ ...about, id: createUnlistedId() });
          expect(await textOf({ ...about, id: body.server_id! })).to.equal(unknown);
          expect(unknown).to.include('"cause":"').and.not.include('"entry":{');
        }
    const known = bodyOf(await askDoctor(stage, { id: body.server_id!, token }));
    expect(known.cause).to.equal('unlisted');
    expect(known.entry).to.include({ id: body.server_id, join_code: headers['server-join-code'] });
  });

  it('answers any question about an unlisted id as about an unknown one', async () => {
    await open({ GSLS_RATE_LIMIT: 'doctor=100000/s' });
    const { body } = await stage.broadcast({ unlisted: true, server_host: 'evening.example.com' }, CLAIM);
    await stage.broadcast({ server_port: 8 });
    const questions = record(
      {
        host: option(constantFrom(HOME, 'evening.example.com', '8.8.8.8', HOME_V6), { nil: undefined }),
        port: option(constantFrom(7777, 8, 9), { nil: undefined }),
        from: constantFrom(HOME, '8.8.8.8', HOME_V6),
        token: option(constantFrom('claim', 'x.y', `${body.server_id}.${'a'.repeat(43)}`), {
          nil: undefined,
        }),
      },
      { requiredKeys: ['from'] },
    );
    await assert(
      asyncProperty(questions, async (asked) => {
        const about = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
        const unknown = await textOf({ ...about, id: createUnlistedId() });
        expect(await textOf({ ...about, id: body.server_id! })).to.equal(unknown);
      }),
      { numRuns: 100 },
    );
  });

  it('asks the registry the same of an unlisted id without its token as of an unknown one', async () => {
    await open();
    const { body } = await stage.broadcast({ unlisted: true }, CLAIM);
    const { fates } = stage.registry;
    const asked: string[] = [];
    const of = fates.of.bind(fates);
    Object.assign(fates, {
      of(id: string) {
        asked.push(id);
        return of(id);
      },
    });
    const unknown = createUnlistedId();
    for (const id of [body.server_id!, unknown]) await askDoctor(stage, { id });
    expect(asked).to.deep.equal([`!${body.server_id}`, `!${unknown}`]);
  });

  it('describes an entry under a silent ban as listed, to everyone, with the same bytes as before', async () => {
    await open();
    const { body, headers } = await stage.broadcast({ server_name: 'Casino' }, CLAIM);
    const everyone: readonly Asked[] = [
      { port: 7777 },
      { id: body.server_id!, token: String(headers['server-token']) },
      { host: HOME, port: 7777, from: '1.1.1.1' },
    ];
    const before = await Promise.all(everyone.map(textOf));
    for (const about of [{ name: 'casino' }, { address: HOME }])
      await stage.ban({ ...about, mode: 'silent' });
    expect((await stage.send('GET /')).body.count).to.equal(0);
    expect(await Promise.all(everyone.map(textOf))).to.deep.equal(before);
    for (const text of before) expect(JSON.parse(text)).to.include({ cause: 'listed', listed: true });
  });

  it('tells nothing of a silent ban to an address that has no entry', async () => {
    await open();
    const before = await textOf({ port: 7777 });
    await stage.ban({ address: HOME, mode: 'silent' });
    expect(await textOf({ port: 7777 })).to.equal(before);
  });

  it('tells of the address of another only what any list shows', async () => {
    await open();
    const from = '1.1.1.1';
    const nothing = await textOf({ host: HOME, port: 7777, from });
    expect(JSON.parse(nothing)).to.include({ cause: 'other_address', listed: false });
    const { body } = await stage.broadcast({ server_name: 'Casino' });
    const shown = bodyOf(await askDoctor(stage, { host: HOME, port: 7777, from }));
    expect(shown).to.include({ cause: 'listed', listed: true });
    expect(shown.entry).to.have.all.keys('id', 'name', 'host', 'ip', 'port', 'registered_at');
    await stage.ban({ name: 'casino' });
    for (const id of [body.server_id!, 'unknown'])
      expect(await textOf({ host: HOME, port: 7777, id, from })).to.equal(nothing);
    await stage.clock.advance(2 * lifetime.ttlMs);
    expect(await textOf({ host: HOME, port: 7777, id: body.server_id!, from })).to.equal(nothing);
    await stage.broadcast({ unlisted: true, server_name: 'Evening' });
    expect(await textOf({ host: HOME, port: 7777, from })).to.equal(nothing);
  });

  it('tells of what expired to its own address and to its token alone', async () => {
    await open();
    const { body, headers } = await stage.broadcast({}, CLAIM);
    await stage.clock.advance(2 * lifetime.ttlMs);
    const id = body.server_id!;
    const causeOf = async (asked: Asked): Promise<string> => bodyOf(await askDoctor(stage, asked)).cause;
    expect(await causeOf({ id })).to.equal('expired');
    expect(await causeOf({ id, from: '1.1.1.1' })).to.equal('unknown');
    expect(await causeOf({ id, from: '1.1.1.1', token: String(headers['server-token']) })).to.equal(
      'expired',
    );
    expect(await causeOf({ id, port: 1 })).to.equal('other_port');
  });

  /** What the answer to a question about an unused port, which is never probed, says of others. */
  const known = async (from = HOME): Promise<string> => {
    const { checks } = bodyOf(await askDoctor(stage, { host: from, port: 9, from }));
    return checks.find(({ code }) => code === 'from_your_address')?.says.replace(/^.* known: /, '') ?? '';
  };

  it('tells what an address has broadcast to that very address', async () => {
    await open();
    const { ttlMs } = lifetime;
    await stage.broadcast({}, {}, HOME_V6);
    await stage.broadcast({ server_port: 7778 });
    await stage.clock.advance(ttlMs + 4000);
    await stage.broadcast();
    expect(await known()).to.equal('8.8.4.4:7777, listed; 8.8.4.4:7778, expired 4 s ago');
    expect(await known(HOME_V6)).to.equal(`[${HOME_V6}]:7777, expired 4 s ago`);
    // One of the same network, and one that the first announces.
    for (const other of [HOME_V6.replace(/8844$/, '1'), '1.1.1.1']) expect(await known(other)).to.equal('');
    await stage.clock.advance(10 * ttlMs);
    expect(await known()).to.equal('8.8.4.4:7777, expired 9 min ago');
    await stage.clock.advance(ttlMs);
    expect(await known()).to.equal('');
  });

  it('tells an address of nothing that no list has shown: unlisted, banned or never reached', async () => {
    await open({ GSLS_VERIFY: 'tcp', GSLS_VERIFY_NETWORKS: '192.0.2.0/24' });
    const reach = async (port: number, name: string, fields: object = {}): Promise<void> => {
      const { body } = await stage.broadcast({ server_port: port, server_name: name, ...fields });
      await stage.registry.reachability.note(body.server_id!, { ip: HOME, port }, 'answered');
    };
    await reach(17, 'Shown');
    await reach(18, 'Casino');
    await reach(19, 'Evening', { unlisted: true });
    await stage.broadcast({ server_port: 20 });
    await stage.ban({ name: 'casino' });
    expect(await known()).to.equal('8.8.4.4:17, listed');
    await stage.clock.advance(lifetime.ttlMs + 1000);
    expect(await known()).to.equal('8.8.4.4:17, expired 1 s ago');
  });

  it('tells an address of five entries at most, and first of those with the port in question', async () => {
    await open();
    for (let port = 1; port <= 6; port += 1) await stage.broadcast({ server_port: port });
    await stage.broadcast({ server_ip: '9.9.9.9', server_port: 9 });
    await stage.clock.advance(lifetime.ttlMs);
    for (let port = 1; port <= 6; port += 1) await stage.broadcast({ server_port: port });
    const told = (await known()).split('; ');
    expect([told.length, told[0]]).to.deep.equal([5, '9.9.9.9:9, expired just now']);
  });

  it('tells nothing to an address that may be that of a proxy', async () => {
    await open({ GSLS_TRUST_PROXY: 'loopback,1.1.1.1' });
    for (const from of ['10.0.0.7', '172.17.0.1', '100.64.0.1', '1.1.1.1', 'fd00::1', '127.0.0.1', '::1']) {
      await stage.broadcast({}, {}, from);
      await stage.clock.advance(lifetime.ttlMs);
      await stage.broadcast({ server_port: 7778 }, {}, from);
      expect(await known(from), from).to.match(/^(127\.|::1)/.test(from) ? /listed; .*expired/ : /^$/);
    }
  });

  it('tells of its own address the entry that is there, but for an unlisted one', async () => {
    await open();
    const nothing = await textOf({ port: 7777 });
    await stage.broadcast({ unlisted: true });
    expect(await textOf({ port: 7777 })).to.equal(nothing);
    const { body } = await stage.broadcast();
    expect(bodyOf(await askDoctor(stage, { port: 7777 })).entry).to.include({ id: body.server_id });
  });

  it('tells nothing by an address that is that of a proxy', async () => {
    await open({ GSLS_TRUST_PROXY: '10.0.0.0/8' });
    const { body } = await stage.broadcast({ server_ip: '127.0.0.1', server_name: 'Casino' });
    await stage.broadcast({ server_ip: 'nonsense' });
    await stage.ban({ name: 'casino' });
    const { cause, entry, checks } = bodyOf(await askDoctor(stage, { port: 7777, id: body.server_id! }));
    expect([cause, entry]).to.deep.equal(['proxy_not_trusted', undefined]);
    expect(checks.find(({ code }) => code === 'refusals')!.result).to.equal('unknown');
  });

  it('tells of refusals to the network that they came from, and of no read', async () => {
    await open();
    await stage.send('POST /broadcast', { server_port: 'x' });
    await stage.send('GET /nothing', undefined, {}, '1.1.1.1');
    expect(bodyOf(await askDoctor(stage, { port: 7777 })).cause).to.equal('invalid_request');
    expect(bodyOf(await askDoctor(stage, { port: 7777, from: '1.1.1.1' })).cause).to.equal('unknown');
    await stage.broadcast();
    await stage.clock.advance(2 * lifetime.ttlMs);
    const { cause } = bodyOf(await askDoctor(stage, { port: 7777 }));
    expect(cause).to.equal('invalid_request');
  });

  it('wants the key that reading wants, and no admin key', async () => {
    await open({ GSLS_KEY: 'key' });
    for (const [headers, status] of [
      [{}, 401],
      [{ Authorization: ADMIN_KEY }, 403],
      [{ Authorization: 'key' }, 200],
    ] as const)
      expect((await askDoctor(stage, { port: 7777, headers })).status).to.equal(status);
  });

  it('names what is wrong with a question', async () => {
    await open();
    for (const [asked, field] of [
      [{}, 'server_port'],
      [{ token: 'wrong' }, 'server_port'],
      [{ port: 0 }, 'server_port'],
      [{ port: 1, host: '\u001b[2J' }, 'server_host'],
      [{ port: 1, id: '' }, 'server_id'],
    ] as const) {
      const { status, body } = await askDoctor(stage, asked);
      expect(status, JSON.stringify(asked)).to.equal(400);
      expect(body.details!.map((each) => each.field)).to.deep.equal([field]);
    }
  });

  it('counts its answers by their cause', async () => {
    await open();
    await askDoctor(stage, { port: 7777 });
    const { text } = await stage.send('GET /metrics');
    expect(valueOf(text, 'gsls_doctor_total', { cause: 'unknown' })).to.equal(1);
    expect(valueOf(text, 'gsls_doctor_total', { cause: 'listed' })).to.equal(0);
  });

  it('takes 30 questions a minute of an address', async () => {
    await open();
    for (let n = 0; n < 30; n += 1) expect((await askDoctor(stage, { port: 1 })).status).to.equal(200);
    expect((await askDoctor(stage, { port: 1 })).status).to.equal(429);
    expect((await askDoctor(stage, { port: 1, from: '1.1.1.1' })).status).to.equal(200);
  });
});
