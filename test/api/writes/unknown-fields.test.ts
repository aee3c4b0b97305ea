/** Unknown fields are ignored and never stored, however special their names are in JavaScript. */

import { expect } from 'chai';
import { ask, expectWrongFields } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { useService } from '../../support/use-service.ts';

const LISTED = ['id', 'host', 'name', 'port', 'ip', 'players', 'max_players'];

/** Names with a meaning in JavaScript objects, as JSON text: JSON.stringify would drop the first. */
const SPECIAL = `
  "__proto__": { "server_name": "polluted", "players": 99, "polluted": true },
  "constructor": { "prototype": { "polluted": true } },
  "prototype": { "polluted": true }, "toString": 1, "hasOwnProperty": 1, "valueOf": null, "then": 1`;

const withSpecial = (fields: object) => `{${SPECIAL}, ${JSON.stringify(fields).slice(1)}`;

describe('unknown fields', () => {
  const service = useService();

  it('are ignored in a broadcast and never listed', async () => {
    const id = await service.broadcast({ area: 'eu', id: 'mine', host: 'other', release: { a: [1] } });
    expect(id).to.not.equal('mine');
    const listed = await service.listed(id);
    expect(Object.keys(listed!)).to.deep.equal(LISTED);
    expect(listed).to.include({ id, host: 'game.example.com' });
  });

  it('are ignored in a ping and in a remove', async () => {
    const id = await service.broadcast();
    const ping = { ...aBroadcast({ server_id: id }), area: 'eu' };
    expect(await ask(service, 'POST /ping', { body: ping })).to.include({ status: 200 });
    expect(Object.keys((await service.listed(id))!)).to.deep.equal(LISTED);
    const remove = { server_id: id, server_ip: '203.0.113.7', players: 'whatever' };
    expect(await ask(service, 'POST /remove', { body: remove })).to.include({ status: 200 });
  });

  it('named __proto__ or constructor do no harm', async () => {
    const { status, body } = await ask(service, 'POST /broadcast', { body: withSpecial(aBroadcast()) });
    expect(status).to.equal(200);
    const id = body.server_id!;
    const ping = withSpecial(aBroadcast({ server_id: id, players: 4 }));
    expect(await ask(service, 'POST /ping', { body: ping })).to.include({ status: 200 });
    expect(await service.listed(id)).to.deep.equal({
      id,
      host: 'game.example.com',
      name: 'A server',
      port: 7777,
      ip: '203.0.113.7',
      players: 4,
      max_players: 16,
    });
    expect({}).to.not.have.property('polluted');
  });

  it('do not supply a missing field through __proto__', async () => {
    const { server_name: _, players: __, ...rest } = aBroadcast();
    const answer = await ask(service, 'POST /broadcast', { body: withSpecial(rest) });
    expectWrongFields(answer, ['server_name', 'players']);
  });

  it('in a query string do no harm', async () => {
    const id = await service.broadcast();
    const query = new URLSearchParams(aBroadcast({ server_id: id, players: 5 }) as never).toString();
    const special = '__proto__[polluted]=1&__proto__=1&constructor[prototype][polluted]=1&constructor=1';
    const { status } = await ask(service, `GET /ping?${special}&area=eu&=&&${query}`);
    expect(status).to.equal(200);
    expect(Object.keys((await service.listed(id))!)).to.deep.equal(LISTED);
    expect({}).to.not.have.property('polluted');
  });

  it('may be deeply nested', async () => {
    const depth = 4000;
    const body = `{"deep":${'['.repeat(depth)}${']'.repeat(depth)},${JSON.stringify(aBroadcast()).slice(1)}`;
    expect(await ask(service, 'POST /broadcast', { body })).to.include({ status: 200 });
  });

  it('may be repeated, like known fields: the last value counts, as in all JSON', async () => {
    const body = `{"players":"x",${JSON.stringify(aBroadcast({ players: 6 })).slice(1)}`;
    const answer = await ask(service, 'POST /broadcast', { body });
    expect(await service.listed(answer.body.server_id!)).to.have.property('players', 6);
  });
});
