import { expect } from 'chai';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { useService } from '../../support/use-service.ts';

describe('GET /', () => {
  const service = useService();
  const idsOf = async () => (await ask(service, 'GET /')).body.servers!.map(({ id }) => id);

  it('is an empty list at first', async () => {
    const { status, headers, text } = await ask(service, 'GET /');
    expect([status, text]).to.deep.equal([200, '{"servers":[],"count":0}']);
    expect(headers['content-type']).to.equal('application/json; charset=utf-8');
    expect(headers['x-content-type-options']).to.equal('nosniff');
  });

  it('shows each game server with the fields of the specification, in their order', async () => {
    const id = await service.broadcast();
    expect((await ask(service, 'GET /')).text).to.equal(
      `{"servers":[{"id":"${id}","host":"game.example.com","name":"A server","port":7777,"ip":"203.0.113.7","players":3,"max_players":16}],"count":1}`,
    );
  });

  it('counts its entries', async () => {
    for (let i = 0; i < 150; i += 1) await service.broadcast();
    const { body } = await ask(service, 'GET /');
    expect(body.servers).to.have.length(body.count!);
    expect(body.count).to.be.at.least(150);
  });

  it('keeps the order of registration through pings and removals', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) ids.push(await service.broadcast({ server_port: 100 - i }));
    const ping = aBroadcast({ server_id: ids[0], server_name: 'Z' });
    await ask(service, 'POST /ping', { body: ping });
    await ask(service, 'POST /remove', { body: { server_id: ids[2], server_ip: '203.0.113.7' } });
    expect((await idsOf()).slice(-4)).to.deep.equal([ids[0], ids[1], ids[3], ids[4]]);
  });

  it('shows every change that was acknowledged before the request', async () => {
    for (let i = 0; i < 20; i += 1) {
      const id = await service.broadcast();
      expect(await idsOf()).to.include(id);
      await ask(service, 'POST /remove', { body: { server_id: id, server_ip: '203.0.113.7' } });
      expect(await idsOf()).to.not.include(id);
    }
  });

  it('ignores a query string and a body', async () => {
    const { text } = await ask(service, 'GET /');
    expect((await ask(service, 'GET /?count=1&x=%')).text).to.equal(text);
    expect((await ask(service, 'GET /', { body: 'not JSON' })).text).to.equal(text);
  });

  it('has no other path', async () => {
    for (const path of ['//', '/index.html', '/servers/', '/Health', '/HEALTH', '/health/', '/ping/', '/./x'])
      expect(await ask(service, `GET ${path}`), path).to.include({ status: 404 });
  });
});
