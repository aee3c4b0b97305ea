/** The Server-Token over HTTP: what is issued, what it opens, and what is refused. */

import { expect } from 'chai';
import { createServerTokens } from '../../../src/api/writes/server-token.ts';
import type { Service } from '../../../src/service/service.ts';
import { ask, expectError, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { startTestService } from '../../support/start-test-service.ts';

const SECRET = 'a secret of 24 characters';

interface Listed {
  readonly id: string;
  readonly token: string;
}

describe('the Server-Token', () => {
  let service: Service;
  const start = async (environment: Record<string, string> = {}): Promise<void> => {
    await service?.close();
    service = await startTestService(environment);
  };
  before(() => start());
  after(() => service.close());

  const request = (
    path: string,
    token: string | readonly string[] | undefined,
    body: object,
  ): Promise<TestAnswer> =>
    ask(service, `POST ${path}`, {
      body,
      headers: token === undefined ? {} : { 'Server-Token': [token].flat() },
    });

  async function broadcast(token?: string, overrides: Record<string, unknown> = {}): Promise<Listed> {
    const { status, headers, body } = await request('/broadcast', token, aBroadcast(overrides));
    expect(status).to.equal(200);
    return { id: body.server_id!, token: String(headers['server-token']) };
  }

  async function idsOf(): Promise<readonly string[]> {
    return (await ask(service, 'GET /')).body.servers!.map(({ id }) => id);
  }

  it('is in the answer to each broadcast, and is the id and 256 bits', async () => {
    const { id, token } = await broadcast();
    expect(token)
      .to.match(/^[\w-]{22}\.[\w-]{43}$/)
      .and.satisfy((text: string) => text.startsWith(`${id}.`));
    expect((await broadcast()).token).to.not.equal(token);
  });

  it('is in no body and in no list', async () => {
    const { status, text } = await request('/broadcast', 'claim', aBroadcast());
    expect([status, text]).to.match(/^200,{"status":"success","server_id":"[\w-]{22}"}$/);
    expect((await ask(service, 'GET /')).text).to.not.match(/[\w-]{43}/);
  });

  it('lets a client that knows only the specification work as ever', async () => {
    const { id } = await broadcast();
    const fields = aBroadcast({ server_id: id });
    for (let i = 0; i < 2; i += 1) expect((await request('/ping', undefined, fields)).status).to.equal(200);
    expect((await request('/remove', undefined, fields)).status).to.equal(200);
  });

  it('claims the entry with its first use', async () => {
    const { id, token } = await broadcast();
    const fields = aBroadcast({ server_id: id });
    expect((await request('/ping', token, fields)).text).to.equal('{"status":"success"}');
    expectError(await request('/ping', undefined, fields), 'not_owner');
    expectError(await request('/remove', undefined, fields), 'not_owner');
    expect((await request('/remove', token, fields)).status).to.equal(200);
  });

  it('claims the entry from birth where the broadcast says so', async () => {
    const { id, token } = await broadcast('claim');
    const fields = aBroadcast({ server_id: id });
    expectError(await request('/ping', undefined, fields), 'not_owner');
    expect((await request('/ping', token, fields)).status).to.equal(200);
  });

  it('works for a ping by GET, in the header alone', async () => {
    const { id, token } = await broadcast('claim');
    const query = new URLSearchParams({
      ...(aBroadcast({ server_id: id }) as Record<string, string>),
      'Server-Token': token,
    });
    expectError(await ask(service, `GET /ping?${query.toString()}`), 'not_owner');
    const { status } = await ask(service, `GET /ping?${query.toString()}`, {
      headers: { 'Server-Token': token },
    });
    expect(status).to.equal(200);
  });

  it('is refused on any entry if it is wrong, cut, of another entry, or sent twice', async () => {
    const [mine, other] = [await broadcast('claim'), await broadcast()];
    const { token } = mine;
    const flipped = token.slice(0, -2) + (token.at(-2) === 'A' ? 'B' : 'A') + token.at(-1);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const sameBytes = token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1)!) + 1]!;
    const wrong = [
      sameBytes,
      '',
      'x',
      'claim',
      mine.id,
      `${mine.id}.`,
      token.slice(0, -1),
      `${token}A`,
      flipped,
      ` ${token}.`,
    ];
    for (const { id } of [mine, other])
      for (const each of [...wrong, id === mine.id ? other.token : token, [token, token]])
        for (const path of ['/ping', '/remove'])
          expectError(await request(path, each, aBroadcast({ server_id: id })), 'not_owner');
    expect(await idsOf()).to.include.members([mine.id, other.id]);
  });

  it('of an entry that is gone gets unknown_server in a ping, right or wrong', async () => {
    const { id, token } = await broadcast('claim');
    const fields = aBroadcast({ server_id: id });
    await request('/remove', token, fields);
    for (const each of [token, 'wrong', undefined])
      expectError(await request('/ping', each, fields), 'unknown_server');
  });

  it('refuses a broadcast that has something else in its place', async () => {
    for (const each of ['', 'Claim', 'token', `${'x'.repeat(65)}.${'y'.repeat(43)}`])
      expectError(await request('/broadcast', each, aBroadcast()), 'invalid_request');
  });

  it('keeps the id of a game server that starts anew, wherever it is', async () => {
    const first = await broadcast('claim');
    const moved = { server_ip: '198.51.100.9', server_port: 9, server_name: 'moved' };
    const again = await broadcast(first.token, moved);
    expect(again).to.deep.equal(first);
    const ids = await idsOf();
    expect(ids.filter((id) => id === first.id)).to.have.length(1);
    const fields = aBroadcast({ ...moved, server_id: first.id });
    expect((await request('/ping', first.token, fields)).status).to.equal(200);
  });

  it('decides beside an Idempotency-Key', async () => {
    const first = await broadcast('claim');
    const headers = { 'Server-Token': first.token, 'Idempotency-Key': 'any' };
    const { body } = await ask(service, 'POST /broadcast', { body: aBroadcast(), headers });
    expect(body.server_id).to.equal(first.id);
  });

  it('of an entry that is gone lists a new entry, claimed, and once for one Idempotency-Key', async () => {
    const { id, token } = await broadcast('claim');
    await request('/remove', token, aBroadcast({ server_id: id }));
    const headers = { 'Server-Token': token, 'Idempotency-Key': 'after' };
    const answers = [];
    for (let i = 0; i < 2; i += 1)
      answers.push(await ask(service, 'POST /broadcast', { body: aBroadcast(), headers }));
    const [first, second] = answers.map(({ body }) => body.server_id);
    expect(first).to.equal(second).and.not.equal(id);
    expectError(await request('/ping', undefined, aBroadcast({ server_id: first })), 'not_owner');
  });

  it('that is wrong refuses a broadcast for an entry that is there, and is no error for one that is not', async () => {
    const { id, token } = await broadcast('claim');
    const wrong = (itsId: string): string => `${itsId}.${token.slice(-43).split('').toReversed().join('')}`;
    expectError(
      await request('/broadcast', wrong(id), aBroadcast({ server_name: 'taken over' })),
      'not_owner',
    );
    const again = await broadcast(wrong('an-id-of-before'));
    expect(again.id).to.not.equal('an-id-of-before');
  });

  it('goes to a client that repeats the Idempotency-Key of a broadcast', async () => {
    const headers = { 'Idempotency-Key': 'credential' };
    const sent = { body: aBroadcast(), headers };
    const tokens = [
      await ask(service, 'POST /broadcast', sent),
      await ask(service, 'POST /broadcast', sent),
    ].map((answer) => answer.headers['server-token']);
    expect(tokens[0]).to.equal(tokens[1]);
  });

  describe('where one is required', () => {
    before(() => start({ GSLS_REQUIRE_SERVER_TOKEN: 'true' }));

    it('a ping and a remove without it are refused, and say what to do', async () => {
      const { id, token } = await broadcast();
      for (const path of ['/ping', '/remove']) {
        const answer = await request(path, undefined, aBroadcast({ server_id: id }));
        expectError(answer, 'server_token_required');
        expect(answer.body.error).to.include('broadcast again');
      }
      expect((await request('/ping', token, aBroadcast({ server_id: id }))).status).to.equal(200);
    });
  });

  describe('with unique addresses', () => {
    before(() => start({ GSLS_UNIQUE_ADDRESS: 'true' }));

    it('keeps its address from others, and the refusal says for how long', async () => {
      const { token } = await broadcast('claim');
      const answer = await request('/broadcast', undefined, aBroadcast());
      expectError(answer, 'address_taken');
      const seconds = Number(answer.headers['retry-after']);
      expect(seconds).to.be.within(30, 60);
      expect(answer.body.error).to.match(new RegExp(` in ${seconds} s without a ping$`));
      expect((await broadcast(token)).token).to.equal(token);
    });
  });

  describe('with secrets of the operator', () => {
    it('is the same on every service that has the secret, and another for another registry', async () => {
      await start({ GSLS_TOKEN_SECRET: SECRET });
      const { id, token } = await broadcast();
      const same = createServerTokens({ registryName: '', secrets: () => [SECRET] });
      const other = createServerTokens({ registryName: 'eu', secrets: () => [SECRET] });
      expect(token).to.equal(same.issue(id)).and.not.equal(other.issue(id));
      expect(other.proofFor(id, { 'server-token': token })).to.equal('wrong');
    });

    it('is made with the first secret, and taken with all of them', () => {
      const before = createServerTokens({ registryName: '', secrets: () => [SECRET] });
      const after = createServerTokens({ registryName: '', secrets: () => ['the new one', SECRET] });
      expect(after.proofFor('id', { 'server-token': before.issue('id') })).to.equal('token');
      expect(before.proofFor('id', { 'server-token': after.issue('id') })).to.equal('wrong');
    });

    it('cannot be made or checked while no secret is known', () => {
      const tokens = createServerTokens({ registryName: '', secrets: () => [] });
      const token = `id.${'x'.repeat(43)}`;
      for (const use of [
        () => tokens.issue('id'),
        () => tokens.proofFor('id', { 'server-token': token }),
        () => tokens.intentOf({ 'server-token': token }),
      ])
        expect(use).to.throw().with.property('code', 'registry_unavailable');
      expect(tokens.proofFor('id', {})).to.equal('none');
    });
  });
});
