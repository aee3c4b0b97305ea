/** Removes with `keep_id`: the game server is gone at once, and its token brings it back under its id. */

import { expect } from 'chai';
import { ask, expectError, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { useService, type UsedService } from '../../support/use-service.ts';

interface Listed {
  readonly id: string;
  readonly token: string;
}

function send(
  service: UsedService,
  path: string,
  body: object,
  token: string | undefined,
): Promise<TestAnswer> {
  return ask(service, `POST ${path}`, {
    body,
    ...(token !== undefined && { headers: { 'Server-Token': token } }),
  });
}

async function broadcast(service: UsedService, token = 'claim', more: object = {}): Promise<Listed> {
  const { status, headers, body } = await send(service, '/broadcast', aBroadcast({ ...more }), token);
  expect(status).to.equal(200);
  return { id: body.server_id!, token: String(headers['server-token']) };
}

function leave(
  service: UsedService,
  id: string,
  token?: string,
  keepId: unknown = true,
): Promise<TestAnswer> {
  const body = { server_id: id, server_ip: '203.0.113.7', keep_id: keepId };
  return send(service, '/remove', body, token);
}

const tagOf = ({ text }: TestAnswer): string => (JSON.parse(text) as { tag: string }).tag;

describe('a remove with keep_id', () => {
  const service = useService();

  it('takes the game server off the list at once, and a broadcast with its token brings it back', async () => {
    const { id, token } = await broadcast(service);
    const { status, text } = await leave(service, id, token);
    expect([status, text]).to.deep.equal([200, '{"status":"success"}']);
    expect(await service.listed(id)).to.equal(undefined);
    expectError(await ask(service, `GET /servers/${id}`), 'unknown_server');
    expect((await leave(service, id, token)).status).to.equal(200);
    expect(await broadcast(service, token, { server_ip: '198.51.100.1', players: 0 })).to.deep.equal({
      id,
      token,
    });
    expect(await service.listed(id)).to.include({ ip: '198.51.100.1', players: 0 });
  });

  it('lets no ping bring it back, not even one with the token', async () => {
    const { id, token } = await broadcast(service);
    await leave(service, id, token);
    const ping = aBroadcast({ server_id: id });
    expectError(await send(service, '/ping', ping, token), 'unknown_server');
    expectError(await send(service, '/ping', ping, undefined), 'unknown_server');
    expect(await service.listed(id)).to.equal(undefined);
  });

  it('is told to those who follow the list: gone at once, and back under its id', async () => {
    const changes = async (since: string): Promise<{ servers: { id: string }[]; removed: string[] }> =>
      JSON.parse((await ask(service, `GET /changes?since=${since}`)).text) as never;
    const { id, token } = await broadcast(service);
    const first = tagOf(await ask(service, 'GET /changes'));
    await leave(service, id, token);
    expect((await changes(first)).removed).to.deep.equal([id]);
    const second = tagOf(await ask(service, 'GET /changes'));
    await broadcast(service, token);
    expect((await changes(second)).servers.map((server) => server.id)).to.deep.equal([id]);
    await leave(service, id, token);
    for (const since of [first, second]) expect((await changes(since)).removed).to.deep.equal([id]);
  });

  it('needs the token of the entry', async () => {
    const { id, token } = await broadcast(service);
    const other = await broadcast(service);
    const without = await leave(service, id);
    expectError(without, 'server_token_required');
    expect(without.body.error).to.match(/^keep_id needs the Server-Token/);
    expectError(await leave(service, id, other.token), 'not_owner');
    expect(await service.listed(id)).to.include({ id });
    expectError(await leave(service, 'unknown', token), 'unknown_server');
  });

  it('must say true or false', async () => {
    const { id, token } = await broadcast(service);
    for (const wrong of ['true', 1, null, {}]) {
      const answer = await leave(service, id, token, wrong);
      expectError(answer, 'invalid_request');
      expect(answer.body.error).to.match(/^keep_id must be true or false/);
    }
    expect(await service.listed(id)).to.include({ id });
  });

  it('keeps nothing with false, as without the field', async () => {
    const { id, token } = await broadcast(service);
    expect((await leave(service, id, token, false)).status).to.equal(200);
    expect((await broadcast(service, token)).id).to.not.equal(id);
  });

  it('can be followed by one for good', async () => {
    const { id, token } = await broadcast(service);
    await leave(service, id, token);
    expectError(await leave(service, id, undefined, false), 'not_owner');
    expect((await leave(service, id, token, false)).status).to.equal(200);
    expectError(await leave(service, id, token), 'unknown_server');
    expect((await broadcast(service, token)).id).to.not.equal(id);
  });
});

describe('a remove with keep_id at a service without --keep-id', () => {
  const service = useService({ GSLS_KEEP_ID: '0' });

  it('is one for good', async () => {
    const { id, token } = await broadcast(service);
    expectError(await leave(service, id), 'server_token_required');
    expect((await leave(service, id, token)).status).to.equal(200);
    expectError(await leave(service, id, token), 'unknown_server');
    expect((await broadcast(service, token)).id).to.not.equal(id);
  });
});

describe('a game server that has left with keep_id', () => {
  const service = useService({ GSLS_ADMIN_KEY: 'boss', GSLS_MAX_SERVERS: '1' });
  const moderate = (call: string, body?: object): Promise<TestAnswer> =>
    ask(service, call, { ...(body && { body }), headers: { Authorization: 'boss' } });

  it('counts for the limits, and can be removed and banned by a moderator', async () => {
    const { id, token } = await broadcast(service);
    await leave(service, id, token);
    expectError(await send(service, '/broadcast', aBroadcast(), 'claim'), 'quota_exceeded');
    const ban = { author: 'ann', reason: 'spam', id };
    const { text } = await moderate('POST /admin/bans', ban);
    expectError(await send(service, '/broadcast', aBroadcast(), token), 'banned');
    await moderate(`DELETE /admin/bans/${(JSON.parse(text) as { ban: string }).ban}`);
    expect((await broadcast(service, token)).id).to.equal(id);
    await leave(service, id, token);
    expect((await moderate(`DELETE /admin/servers/${id}`)).status).to.equal(200);
    expectError(await moderate(`DELETE /admin/servers/${id}`), 'unknown_server');
    expect((await broadcast(service, token)).id).to.not.equal(id);
  });
});
