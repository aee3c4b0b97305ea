/**
 * `server_ip` and the address a request comes from: "auto", --verify-source and --public-addresses-only, on both paths.
 */

import { expect } from 'chai';
import { ask, expectError, expectWrongFields, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { useService, type UsedService } from '../../support/use-service.ts';

const CLIENT = '198.51.100.7';
const OTHER = '198.51.100.8';
/** The tests connect from 127.0.0.1, which a service takes for its proxy. */
const PROXY = { GSLS_TRUST_PROXY: 'loopback' };

type Fields = Record<string, unknown>;
type Headers = Record<string, string>;

const from = (address: string): Headers => ({ 'X-Forwarded-For': address });

/** All requests with a server_ip. A query makes a POST take the Koa path. */
const REQUESTS: Readonly<
  Record<string, (service: UsedService, fields: Fields, headers?: Headers) => Promise<TestAnswer>>
> = Object.fromEntries([
  ...['/broadcast', '/broadcast?a', '/ping', '/ping?a', '/remove', '/remove?a'].map((path) => [
    `POST ${path}`,
    (service: UsedService, fields: Fields, headers: Headers = {}) =>
      ask(service, `POST ${path}`, { body: fields, headers }),
  ]),
  [
    'GET /ping',
    (service: UsedService, fields: Fields, headers: Headers = {}) =>
      ask(service, `GET /ping?${new URLSearchParams(fields as never).toString()}`, { headers }),
  ],
]);

function forEachRequest(title: string, test: (send: (typeof REQUESTS)[string]) => Promise<void>): void {
  for (const [request, send] of Object.entries(REQUESTS)) it(`${title}: ${request}`, () => test(send));
}

/** The IP under which a game server with this IP is listed. */
async function listedIp(service: UsedService, fields: Fields, headers: Headers = {}, path = '/broadcast') {
  const answer = await ask(service, `POST ${path}`, { body: aBroadcast(fields), headers });
  expect(answer.status, answer.text).to.equal(200);
  return (await service.listed(answer.body.server_id!))?.ip;
}

describe('a server_ip of "auto"', () => {
  const direct = useService();
  const behindProxy = useService(PROXY);

  for (const path of ['/broadcast', '/broadcast?a'])
    it(`is the address of the client, in POST ${path}`, async () => {
      expect(await listedIp(direct, { server_ip: 'auto' }, {}, path)).to.equal('127.0.0.1');
      expect(await listedIp(behindProxy, { server_ip: 'auto' }, from(CLIENT), path)).to.equal(CLIENT);
      const ipv6 = from(`192.0.2.1, [2001:DB8::7]:4711`);
      expect(await listedIp(behindProxy, { server_ip: 'auto' }, ipv6, path)).to.equal('2001:db8::7');
      expect(await listedIp(behindProxy, { server_ip: 'auto' }, {}, path)).to.equal('127.0.0.1');
    });

  needs('IPv6').it('is the address of a client that connects over IPv6', async () => {
    const service = await startTestService({ GSLS_HOST: '::1' });
    try {
      await ask(service, 'POST /broadcast', { body: aBroadcast({ server_ip: 'auto' }) });
      const { body } = await ask(service, 'GET /');
      expect(body.servers?.map(({ ip }) => ip)).to.deep.equal(['::1']);
    } finally {
      await service.close();
    }
  });

  it('is plain IPv4 for a client that connects over IPv4 to an IPv6 socket', async () => {
    const service = await startTestService({ GSLS_HOST: '::' });
    const ipv4 = { host: '127.0.0.1', port: Number(new URL(service.url).port) };
    try {
      await ask(ipv4, 'POST /broadcast', { body: aBroadcast({ server_ip: 'auto' }) });
      const { body } = await ask(ipv4, 'GET /');
      expect(body.servers?.map(({ ip }) => ip)).to.deep.equal(['127.0.0.1']);
    } finally {
      await service.close();
    }
  });

  for (const request of ['POST /ping', 'POST /ping?a', 'GET /ping'])
    it(`pings the entry that the same client listed, and no other: ${request}`, async () => {
      const { body } = await ask(behindProxy, 'POST /broadcast', {
        body: aBroadcast({ server_ip: 'auto' }),
        headers: from(CLIENT),
      });
      const ping = aBroadcast({ server_id: body.server_id, server_ip: 'auto', players: 9 });
      const send = REQUESTS[request]!;
      expectError(await send(behindProxy, { ...ping, players: 8 }, from(OTHER)), 'ip_mismatch');
      expect((await send(behindProxy, ping, from(CLIENT))).status).to.equal(200);
      expect(await behindProxy.listed(body.server_id!)).to.include({ ip: CLIENT, players: 9 });
    });

  for (const request of ['POST /remove', 'POST /remove?a'])
    it(`removes the entry that the same client listed, and no other: ${request}`, async () => {
      const id = await behindProxy.broadcast({ server_ip: CLIENT });
      const remove = { server_id: id, server_ip: 'auto' };
      const send = REQUESTS[request]!;
      expectError(await send(behindProxy, remove, from(OTHER)), 'ip_mismatch');
      expect(await behindProxy.listed(id)).to.include({ ip: CLIENT });
      expect((await send(behindProxy, remove, from(CLIENT))).status).to.equal(200);
      expect(await behindProxy.listed(id)).to.equal(undefined);
    });

  it('means the same game server for one client and Idempotency-Key', async () => {
    const sent = { body: aBroadcast({ server_ip: 'auto' }) };
    const ids = [];
    for (const address of [CLIENT, CLIENT, OTHER]) {
      const headers = { ...from(address), 'Idempotency-Key': 'a key' };
      ids.push((await ask(behindProxy, 'POST /broadcast', { ...sent, headers })).body.server_id);
    }
    expect(ids[0]).to.equal(ids[1]).and.not.equal(ids[2]);
  });

  forEachRequest('is in lower case only', async (send) => {
    for (const server_ip of ['Auto', 'AUTO', ' auto', 'auto ', 'autos'])
      expectWrongFields(await send(direct, aBroadcast({ server_id: 'x', server_ip })), ['server_ip']);
  });

  forEachRequest('is refused when a peer that is not trusted forwards', async (send) => {
    const fields = aBroadcast({ server_id: 'x', server_ip: 'auto' });
    for (const header of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'Via']) {
      const answer = await send(direct, fields, { [header]: CLIENT });
      expectWrongFields(answer, ['server_ip']);
      expect(answer.body.error).to.equal(
        'server_ip cannot be "auto" here: the request came through a proxy at 127.0.0.1, which is not in --trust-proxy; send the address itself, or ask the operator of the service',
      );
    }
  });

  forEachRequest('is refused when a trusted proxy does not name the client', async (send) => {
    const fields = aBroadcast({ server_id: 'x', server_ip: 'auto' });
    const broken: readonly Headers[] = [
      from('junk'),
      from(''),
      from(`${CLIENT}, unknown`),
      { Forwarded: `for=${CLIENT}` },
    ];
    for (const headers of broken) {
      const answer = await send(behindProxy, fields, headers);
      expectWrongFields(answer, ['server_ip']);
      expect(answer.body.error).to.equal(
        'server_ip cannot be "auto" here: the proxy at 127.0.0.1 does not name your address in the header of --client-address-header; send the address itself, or ask the operator of the service',
      );
    }
  });

  it('is refused after all other wrong fields are named', async () => {
    const fields = aBroadcast({ server_ip: 'auto', server_port: 0 });
    expectWrongFields(await ask(direct, 'POST /broadcast', { body: fields, headers: from(CLIENT) }), [
      'server_port',
    ]);
  });

  it('is not needed where a peer that is not trusted forwards', async () => {
    expect(await listedIp(direct, { server_ip: CLIENT }, from(OTHER))).to.equal(CLIENT);
  });
});

describe('the header of --client-address-header', () => {
  const WAYS: readonly (readonly [name: string, value: string])[] = [
    ['Forwarded', `for=192.0.2.1, for=${CLIENT};proto=https`],
    ['forwarded', `for="${CLIENT}:4711"`],
    ['CF-Connecting-IP', CLIENT],
    ['X-Real-IP', CLIENT],
  ];
  for (const [name, value] of WAYS)
    it(`names the client, and no other header does: ${name}`, async () => {
      const service = await startTestService({ ...PROXY, GSLS_CLIENT_ADDRESS_HEADER: name });
      try {
        const headers = { 'X-Forwarded-For': OTHER, [name]: value };
        await ask(service, 'POST /broadcast', { body: aBroadcast({ server_ip: 'auto' }), headers });
        const { body } = await ask(service, 'GET /');
        expect(body.servers?.map(({ ip }) => ip)).to.deep.equal([CLIENT]);
      } finally {
        await service.close();
      }
    });
});

describe('the error ip_mismatch', () => {
  const service = useService();

  it('says how to keep the id, with and without "auto"', async () => {
    const id = await service.broadcast();
    for (const server_ip of ['auto', OTHER])
      for (const path of ['/ping', '/remove']) {
        const answer = await ask(service, `POST ${path}`, { body: aBroadcast({ server_id: id, server_ip }) });
        expectError(answer, 'ip_mismatch');
        expect(answer.body.error).to.include(
          'if the address of the game server has changed, broadcast with your Server-Token, which keeps the id',
        );
      }
  });
});

describe('--verify-source', () => {
  const service = useService({ ...PROXY, GSLS_VERIFY_SOURCE: 'true' });
  const withoutProxy = useService({ GSLS_VERIFY_SOURCE: 'true' });

  forEachRequest('refuses another address than that of the client, and names both', async (send) => {
    const answer = await send(service, aBroadcast({ server_id: 'x', server_ip: OTHER }), from(CLIENT));
    expectError(answer, 'source_mismatch');
    expect(answer.body.error).to.equal(
      `server_ip is ${OTHER}, but the request came from ${CLIENT}: send the address you send from, or "auto"`,
    );
  });

  forEachRequest('names the proxy when a peer that is not trusted forwards', async (send) => {
    const answer = await send(withoutProxy, aBroadcast({ server_id: 'x', server_ip: CLIENT }), from(CLIENT));
    expectError(answer, 'source_mismatch');
    expect(answer.body.error).to.include(
      'came from 127.0.0.1 (the request came through a proxy at 127.0.0.1, which is not in --trust-proxy)',
    );
  });

  for (const server_ip of [CLIENT, `::ffff:${CLIENT}`, 'auto'])
    it(`lets a game server at ${server_ip} be listed, pinged and removed from there, and from nowhere else`, async () => {
      const made = await ask(service, 'POST /broadcast', {
        body: aBroadcast({ server_ip }),
        headers: from(CLIENT),
      });
      const id = made.body.server_id!;
      const ping = aBroadcast({ server_id: id, server_ip, players: 9 });
      for (const path of ['/ping', '/remove']) {
        const elsewhere = await ask(service, `POST ${path}`, {
          body: { ...ping, server_ip: CLIENT },
          headers: from(OTHER),
        });
        expectError(elsewhere, 'source_mismatch');
      }
      expect(await service.listed(id)).to.include({ ip: CLIENT, players: 3 });
      for (const path of ['/ping', '/remove'])
        expect((await ask(service, `POST ${path}`, { body: ping, headers: from(CLIENT) })).status).to.equal(
          200,
        );
      expect(await service.listed(id)).to.equal(undefined);
    });

  it('names wrong fields first', async () => {
    const fields = aBroadcast({ server_ip: OTHER, server_port: 0 });
    expectWrongFields(await ask(service, 'POST /broadcast', { body: fields }), ['server_port']);
  });
});

describe('--public-addresses-only', () => {
  const service = useService({ ...PROXY, GSLS_PUBLIC_ADDRESSES_ONLY: 'true' });

  for (const request of Object.keys(REQUESTS).filter((each) => !each.includes('/remove')))
    it(`refuses an address that cannot be reached from the internet, and says why: ${request}`, async () => {
      const fields = aBroadcast({ server_id: 'x', server_ip: '::ffff:10.1.2.3' });
      const answer = await REQUESTS[request]!(service, fields);
      expectWrongFields(answer, ['server_ip']);
      expect(answer.body.error).to.equal(
        'server_ip must be reachable from the internet, but 10.1.2.3 is in 10.0.0.0/8 (private use, RFC 1918)',
      );
    });

  it('refuses "auto" for a client at such an address, with the address', async () => {
    const answer = await ask(service, 'POST /broadcast', { body: aBroadcast({ server_ip: 'auto' }) });
    expectWrongFields(answer, ['server_ip']);
    expect(answer.body.error).to.include('127.0.0.1 is in 127.0.0.0/8 (loopback, RFC 1122)');
  });

  it('accepts a public address, and a remove of any', async () => {
    const id = await service.broadcast({ server_ip: '1.1.1.1' });
    const ping = aBroadcast({ server_id: id, server_ip: '1.1.1.1' });
    expect((await ask(service, 'POST /ping', { body: ping })).status).to.equal(200);
    expectError(
      await ask(service, 'POST /remove', { body: { server_id: 'x', server_ip: '10.1.2.3' } }),
      'unknown_server',
    );
  });
});
