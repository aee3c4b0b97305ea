/**
 * Defects found in other master servers, a test each. Others of them are tests of what they are about: of pings and
 * removes, of keys (auth.test.ts), and of every error (openapi/errors.test.ts).
 */

import { expect } from 'chai';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { useService } from '../../support/use-service.ts';

describe('unlike in other master servers,', () => {
  const service = useService({ GSLS_UNIQUE_ADDRESS: 'true' });

  it('a player count of 0 is stored like any other count', async () => {
    const id = await service.broadcast({ players: 0, max_players: 0 });
    expect(await service.listed(id)).to.include({ players: 0, max_players: 0 });
    const ping = (players: number) =>
      ask(service, 'POST /ping', { body: aBroadcast({ server_id: id, players, max_players: players }) });
    await ping(5);
    await ping(0);
    expect(await service.listed(id)).to.include({ players: 0, max_players: 0 });
  });

  it('a ping updates its own fields and no others', async () => {
    const id = await service.broadcast();
    const stored = { id: 'x', host: 'x', ip: '::', name: 'x', port: 1, maxPlayers: 1 };
    const internal = {
      expiresAt: 1,
      registeredVersion: 1,
      ttl: 1,
      isClaimed: true,
      gameServer: { ip: '::' },
    };
    const ping = { ...aBroadcast({ server_id: id }), ...stored, ...internal };
    expect(await ask(service, 'POST /ping', { body: ping })).to.include({ status: 200 });
    expect(await service.listed(id)).to.deep.equal({
      id,
      host: 'game.example.com',
      name: 'A server',
      port: 7777,
      ip: '203.0.113.7',
      players: 3,
      max_players: 16,
    });
  });

  for (const ttl of ['3', '4', '5', '60', '100', '86400'])
    it(`a TTL of ${ttl} s leaves room for three pings`, async () => {
      const other = await startTestService({ GSLS_TTL: ttl });
      try {
        const { headers } = await ask(other, 'POST /broadcast', { body: aBroadcast() });
        const intervalSeconds = Number(headers['server-ping-interval']);
        expect(headers['server-ttl']).to.equal(ttl);
        expect(intervalSeconds).to.be.at.least(1);
        expect(3 * intervalSeconds).to.be.at.most(Number(ttl));
      } finally {
        await other.close();
      }
    });

  it('a restarted game server is listed at once, although its old entry is still alive', async () => {
    const first = await ask(service, 'POST /broadcast', { body: aBroadcast({ server_port: 5 }) });
    const second = await ask(service, 'POST /broadcast', { body: aBroadcast({ server_port: 5 }) });
    expect([first.status, second.status]).to.deep.equal([200, 200]);
    expect(await service.listed(second.body.server_id!)).to.include({ port: 5 });
    expect(await service.listed(first.body.server_id!)).to.equal(undefined);
  });
});
