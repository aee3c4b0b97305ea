/** Heartbeats of DDNet over HTTP and UDP: what each is answered, and what it changes. */

import { expect } from 'chai';
import {
  CONNLESS_TOKEN,
  DdnetGameServer,
  anInfo,
  type Scheme,
} from '../../support/ddnet/ddnet-game-server.ts';
import { ask } from '../../support/ask.ts';
import { valueOf } from '../../support/metrics.ts';
import { until } from '../../support/until.ts';
import { useService } from '../../support/use-service.ts';

const SCHEMES: readonly Scheme[] = ['tw-0.6+udp', 'tw-0.7+udp'];
const JSON_BODY = { 'Content-Type': 'application/json' };

describe('a heartbeat of DDNet', () => {
  const service = useService({ GSLS_PROTOCOLS: 'ddnet' });
  let server: DdnetGameServer;
  beforeEach(async () => {
    server = await DdnetGameServer.open();
  });
  afterEach(async () => {
    for (const scheme of SCHEMES) await server.delete(service.url, { scheme });
    await server.close();
  });

  async function challenged(scheme: Scheme): Promise<Buffer> {
    expect(await server.register(service.url, { scheme })).to.deep.equal({
      http: 200,
      status: 'need_challenge',
    });
    await until(() => server.packets.length > 0);
    return server.packets[0]!;
  }

  async function linksShown(): Promise<readonly string[]> {
    const { text } = await ask(service, 'GET /ddnet/15/servers.json');
    const { servers } = JSON.parse(text) as { readonly servers: readonly { readonly addresses: string[] }[] };
    return servers.flatMap(({ addresses }) => addresses);
  }

  it('of a stranger is answered with a challenge at its address, as 0.6 reads it', async () => {
    const packet = await challenged('tw-0.6+udp');
    expect(packet.toString('latin1')).to.match(
      new RegExp(`^\xff{10}chal${server.challengeSecret}:tw0\\.6/ipv4\0[\\w-]{16}\0$`),
    );
  });

  it('of a stranger is answered with a challenge at its address, as 0.7 reads it', async () => {
    const packet = await challenged('tw-0.7+udp');
    const [head, rest] = [packet.subarray(0, 13), packet.subarray(13)];
    expect(head.toString('hex')).to.equal(`21${CONNLESS_TOKEN}${'ff'.repeat(8)}`);
    expect(rest.toString('latin1')).to.match(
      new RegExp(`^chal${server.challengeSecret}:tw0\\.7/ipv4\0[\\w-]{16}\0$`),
    );
  });

  it('costs a stranger more bytes than it sends to its address', async () => {
    for (const challengeSecret of ['', 'x'.repeat(64)]) {
      const request = [
        'POST /ddnet/15/register HTTP/1.1',
        'Host: ',
        'Address: tw-0.7+udp://connecting-address.invalid:1',
        'Secret: ',
        `Connless-Token: ${CONNLESS_TOKEN}`,
        `Challenge-Secret: ${challengeSecret}`,
        'Info-Serial: 0',
        'Content-Length: 0',
      ].join('\r\n');
      const headers = { 'Challenge-Secret': challengeSecret };
      await server.register(service.url, { scheme: 'tw-0.7+udp', headers });
      await until(() => server.packets.length > 0);
      expect(server.packets.pop()!.length).to.be.below(request.length);
    }
  });

  it('is taken with its proof, is asked for its info once, and is listed', async () => {
    await challenged('tw-0.6+udp');
    expect(await server.register(service.url)).to.deep.equal({ http: 200, status: 'need_info' });
    expect(await server.register(service.url, { body: anInfo() })).to.deep.equal({
      http: 200,
      status: 'success',
    });
    expect(await server.register(service.url)).to.deep.equal({ http: 200, status: 'success' });
    server.serial += 1;
    expect(await server.register(service.url)).to.deep.equal({ http: 200, status: 'need_info' });
    expect(await server.register(service.url, { body: anInfo() })).to.deep.equal({
      http: 200,
      status: 'success',
    });
  });

  it('changes nothing with an info that is older than the one known', async () => {
    server.serial = 5;
    await server.registerWith(service.url, anInfo({ name: 'Newer' }));
    server.serial = 4;
    expect(await server.register(service.url, { body: anInfo({ name: 'Older' }) })).to.include({
      status: 'success',
    });
    expect((await ask(service, 'GET /')).body.servers!.map(({ name }) => name)).to.deep.equal(['Newer']);
  });

  it('needs a proof for each of its addresses', async () => {
    await server.registerWith(service.url, anInfo());
    const headers = {
      Address: `tw-0.6+udp://connecting-address.invalid:${server.port === 1 ? 2 : server.port - 1}`,
    };
    expect(await server.register(service.url, { headers })).to.include({ status: 'need_challenge' });
    expect(
      await server.register(service.url, { headers: { 'Challenge-Token': 'AAAAAAAAAAAAAAAA' } }),
    ).to.include({
      status: 'need_challenge',
    });
  });

  it('is one entry with all of its addresses', async () => {
    for (const scheme of SCHEMES) await server.registerWith(service.url, anInfo(), { scheme });
    expect((await ask(service, 'GET /')).body.servers).to.have.length(1);
    const links = SCHEMES.map((scheme) => `${scheme}://127.0.0.1:${server.port}`);
    await until(async () => (await linksShown()).join() === links.join());
  });

  it('takes its address from the entry of the run before, which had another secret', async () => {
    await server.registerWith(service.url, anInfo({ name: 'Before' }));
    const headers = { Secret: 'another run' };
    await server.registerWith(service.url, anInfo({ name: 'After' }), { headers });
    expect((await ask(service, 'GET /')).body.servers!.map(({ name }) => name)).to.deep.equal(['After']);
    expect(await server.delete(service.url)).to.include({ http: 400 });
    expect(await server.delete(service.url, { headers })).to.include({ status: 'success' });
  });

  it('is not read before the proof, and is refused after it in the words of the original', async () => {
    const broken = { headers: JSON_BODY, body: '{' };
    expect(await server.register(service.url, broken)).to.include({ status: 'need_challenge' });
    await until(() => server.packets.length > 0);
    expect(await server.register(service.url, broken)).to.include({ http: 400, status: 'error' });
    expect(await server.register(service.url, { headers: JSON_BODY, body: '[]' })).to.deep.equal({
      http: 400,
      status: 'error',
      message: 'register info must be an object',
    });
    expect(
      await server.register(service.url, { headers: { 'Content-Type': 'text/plain' }, body: '{}' }),
    ).to.deep.equal({
      http: 415,
      status: 'error',
      message: "The request's Content-Type is not supported",
    });
  });

  it('with a body that is too large is refused in the words of the original', async () => {
    expect(
      await server.register(service.url, { headers: JSON_BODY, body: 'x'.repeat(32_769) }),
    ).to.deep.equal({
      http: 413,
      status: 'error',
      message: 'The request payload is too large',
    });
  });

  it('takes one address off at its sign-off, and the entry with the last', async () => {
    for (const scheme of SCHEMES) await server.registerWith(service.url, anInfo(), { scheme });
    expect(await server.delete(service.url)).to.deep.equal({ http: 200, status: 'success' });
    expect((await ask(service, 'GET /')).body.servers).to.have.length(1);
    expect(await server.delete(service.url)).to.deep.equal({
      http: 400,
      status: 'error',
      message: 'could not find registered server',
    });
    expect(await server.delete(service.url, { scheme: 'tw-0.7+udp' })).to.include({ status: 'success' });
    expect((await ask(service, 'GET /')).body.servers).to.have.length(0);
  });

  it('is refused where a proxy hides the address that would have to be challenged', async () => {
    const headers = { 'X-Forwarded-For': '192.0.2.1' };
    expect(await server.register(service.url, { headers })).to.include({ http: 400, status: 'error' });
    expect(await server.delete(service.url, { headers })).to.include({ http: 400, status: 'error' });
    expect(server.packets).to.deep.equal([]);
  });

  it('cannot sign off without the secret', async () => {
    await server.registerWith(service.url, anInfo());
    expect(await server.delete(service.url, { headers: { Secret: 'guessed' } })).to.include({ http: 400 });
    expect((await ask(service, 'GET /')).body.servers).to.have.length(1);
  });

  it('is challenged no more than so often at one address', async () => {
    const answers = new Set<string>();
    const ask50 = (first: number): Promise<unknown> =>
      Promise.all(
        Array.from({ length: 50 }, async (_, n) => {
          const headers = { Address: `tw-0.6+udp://connecting-address.invalid:${first + n}` };
          const { http, status } = await server.register(service.url, { headers });
          answers.add(`${http} ${status}`);
        }),
      );
    for (let first = 1; first <= 401; first += 50) await ask50(first);
    expect([...answers]).to.deep.equal(['200 need_challenge', '429 error']);
  });
});

describe('a heartbeat of DDNet that makes no sense', () => {
  const service = useService({ GSLS_PROTOCOLS: 'ddnet' });

  it('is counted', async () => {
    await fetch(`${service.url}/ddnet/15/register`, { method: 'POST' });
    const { text } = await ask(service, 'GET /metrics');
    expect(valueOf(text, 'gsls_protocol_total', { protocol: 'ddnet', outcome: 'invalid' })).to.equal(1);
  });
});

describe('a heartbeat of DDNet that is refused', () => {
  const ADMIN_KEY = 'boss';
  const service = useService({
    GSLS_PROTOCOLS: 'ddnet',
    GSLS_ADMIN_KEY: ADMIN_KEY,
    GSLS_RATE_LIMIT: 'ping=6/m',
  });

  it('says why to the person who runs the game server', async () => {
    const headers = { Authorization: `Bearer ${ADMIN_KEY}` };
    const body = { address: '127.0.0.1', reason: 'spam' };
    await ask(service, 'POST /admin/bans', { headers, body });
    const server = await DdnetGameServer.open();
    expect(await server.register(service.url)).to.deep.equal({
      http: 403,
      status: 'error',
      message: 'banned: spam',
    });
    expect(server.packets).to.deep.equal([]);
    const { text } = await ask(service, 'GET /metrics');
    expect(valueOf(text, 'gsls_protocol_total', { protocol: 'ddnet', outcome: 'refused' })).to.equal(1);
    const answers = [];
    for (let i = 0; i < 6; i += 1) answers.push(await server.register(service.url));
    expect(answers.at(-1)).to.include({ http: 429, status: 'error' }).and.to.have.property('message');
    await server.close();
  });
});
