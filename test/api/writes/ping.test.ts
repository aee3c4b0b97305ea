import { expect } from 'chai';
import { ask, expectError, expectWrongFields, type TestAnswer } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { useService } from '../../support/use-service.ts';

type Send = (fields: Record<string, unknown>) => Promise<TestAnswer>;

const queryOf = (fields: Record<string, unknown>) => new URLSearchParams(fields as never).toString();

describe('ping', () => {
  const service = useService();

  const WAYS: Record<string, Send> = {
    'POST /ping': (body) => ask(service, 'POST /ping', { body }),
    'GET /ping with a query string': (fields) => ask(service, `GET /ping?${queryOf(fields)}`),
    'GET /ping with a body': (body) => ask(service, 'GET /ping', { body }),
  };

  for (const [way, send] of Object.entries(WAYS)) {
    describe(`by ${way}`, () => {
      let id: string;
      const ping = (overrides: Record<string, unknown> = {}) =>
        send(aBroadcast({ server_id: id, ...overrides }));
      beforeEach(async () => {
        id = await service.broadcast();
      });

      it('answers with the status and nothing else', async () => {
        const { status, headers, text } = await ping();
        expect([status, text]).to.deep.equal([200, '{"status":"success"}']);
        expect(headers['content-type']).to.equal('application/json; charset=utf-8');
        expect(headers).to.include({ 'server-ttl': '60', 'server-ping-interval': '20' });
      });

      it('is never cached', async () => {
        expect((await ping()).headers['cache-control']).to.equal('no-store');
      });

      it('updates every field in the list at once', async () => {
        await ping({ server_host: 'h', server_name: 'n', server_port: 9, players: 0, max_players: 1 });
        expect(await service.listed(id)).to.deep.equal({
          id,
          host: 'h',
          name: 'n',
          port: 9,
          ip: '203.0.113.7',
          players: 0,
          max_players: 1,
        });
      });

      it('answers 404 unknown_server for an unknown id, and says to broadcast again', async () => {
        const answer = await ping({ server_id: `${id}x` });
        expectError(answer, 'unknown_server');
        expect(answer.body.error).to.include('broadcast again');
      });

      it('answers 403 ip_mismatch for another IP, and changes nothing', async () => {
        const before = await service.listed(id);
        expectError(await ping({ server_ip: '198.51.100.1', players: 9 }), 'ip_mismatch');
        expect(await service.listed(id)).to.deep.equal(before);
      });

      it('requires every field', async () => {
        for (const field of Object.keys(aBroadcast({ server_id: id }))) {
          const { [field]: _, ...rest } = aBroadcast({ server_id: id });
          expectWrongFields(await send(rest), [field]);
        }
      });
    });
  }

  it('that repeats its entry is refused no less for wrong players, and for a wrong detail beside them', async () => {
    const entry = aBroadcast({ server_id: await service.broadcast() });
    const { players: _, ...withoutPlayers } = entry;
    expectWrongFields(await ask(service, 'POST /ping', { body: withoutPlayers }), ['players']);
    for (const players of [-1, 1_000_001, 1.5, '5', null, {}]) {
      const body = { ...entry, players };
      expectWrongFields(await ask(service, 'POST /ping', { body }), ['players']);
      expectWrongFields(await ask(service, 'POST /ping', { body: { ...body, map: 5 } }), ['players', 'map']);
    }
    expectWrongFields(await ask(service, 'POST /ping', { body: { ...entry, map: 5 } }), ['map']);
  });

  it('reads the body and not the query string when both are there', async () => {
    const id = await service.broadcast();
    const query = queryOf(aBroadcast({ server_id: 'unknown', players: 8 }));
    const body = aBroadcast({ server_id: id, players: 9 });
    for (const method of ['GET', 'POST'])
      expect(await ask(service, `${method} /ping?${query}`, { body })).to.include({ status: 200 });
    expect(await service.listed(id)).to.include({ players: 9 });
  });

  it('does not complete a body from the query string', async () => {
    const query = queryOf(aBroadcast({ server_id: 'x' }));
    const answer = await ask(service, `GET /ping?${query}`, { body: { server_id: 'x' } });
    expectWrongFields(answer, Object.keys(aBroadcast()));
  });

  it('does not accept texts as integers in a body', async () => {
    const body = aBroadcast({ server_id: 'x', players: '3' });
    for (const method of ['GET', 'POST'])
      expectWrongFields(await ask(service, `${method} /ping`, { body }), ['players']);
  });
});
