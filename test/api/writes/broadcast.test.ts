import { expect } from 'chai';
import { ask, expectError } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { useService } from '../../support/use-service.ts';

describe('POST /broadcast', () => {
  const service = useService();

  it('answers with the status and a new id, and nothing else', async () => {
    const { status, headers, text } = await ask(service, 'POST /broadcast', { body: aBroadcast() });
    expect(status).to.equal(200);
    expect(text).to.match(/^\{"status":"success","server_id":"[\w-]{22}"\}$/);
    expect(headers).to.include({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(text.length),
      'cache-control': 'no-store',
      'server-ttl': '60',
      'server-ping-interval': '20',
    });
  });

  it('lists the game server at once, with every field as it was sent', async () => {
    const id = await service.broadcast({ server_port: 1, players: 0, max_players: 1_000_000 });
    expect(await service.listed(id)).to.deep.equal({
      id,
      host: 'game.example.com',
      name: 'A server',
      port: 1,
      ip: '203.0.113.7',
      players: 0,
      max_players: 1_000_000,
    });
  });

  it('lists a new game server each time, also with the same fields', async () => {
    const ids = [await service.broadcast(), await service.broadcast()];
    expect(ids[0]).to.not.equal(ids[1]);
    for (const id of ids) expect(await service.listed(id)).to.include({ id });
  });

  it('accepts more players than max_players, because games keep reserved slots', async () => {
    const id = await service.broadcast({ players: 18, max_players: 16 });
    expect(await service.listed(id)).to.include({ players: 18, max_players: 16 });
  });

  it('ignores the query string', async () => {
    const query = new URLSearchParams(aBroadcast() as never).toString();
    expectError(await ask(service, `POST /broadcast?${query}`), 'invalid_request');
    const answer = await ask(service, 'POST /broadcast?players=9', { body: aBroadcast() });
    expect(await service.listed(answer.body.server_id!)).to.include({ players: 3 });
  });
});

describe('POST /broadcast with other settings', () => {
  const service = useService({ GSLS_TTL: '90', GSLS_UNIQUE_ADDRESS: 'yes' });

  it('sends the TTL of --ttl in its headers', async () => {
    const { headers } = await ask(service, 'POST /broadcast', { body: aBroadcast() });
    expect(headers).to.include({ 'server-ttl': '90', 'server-ping-interval': '30' });
  });

  it('replaces the entry of the same address under --unique-address', async () => {
    const first = await service.broadcast({ server_port: 1 });
    const second = await service.broadcast({ server_port: 1 });
    expect(await service.listed(first)).to.equal(undefined);
    expect(await service.listed(second)).to.include({ port: 1 });
    const ping = aBroadcast({ server_id: first, server_port: 1 });
    expectError(await ask(service, 'POST /ping', { body: ping }), 'unknown_server');
  });
});
