import { expect } from 'chai';
import { ask, expectError } from '../../support/ask.ts';
import { freePort } from '../../support/free-port.ts';
import { useService } from '../../support/use-service.ts';

describe('GET /health', () => {
  const service = useService();

  it('answers the time and the number of game servers, and nothing else', async () => {
    const earliest = Date.now();
    const { status, headers, body } = await ask(service, 'GET /health');
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.deep.equal(['timestamp', 'server_count']);
    expect(body.server_count).to.equal(0);
    expect(body.timestamp).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(body.timestamp!)).to.be.within(earliest, Date.now());
    expect(headers['content-type']).to.equal('application/json; charset=utf-8');
    expect(headers['cache-control']).to.equal('no-store');
  });

  it('follows every broadcast and remove', async () => {
    const countOf = async () => (await ask(service, 'GET /health')).body.server_count;
    const id = await service.broadcast();
    await service.broadcast();
    expect(await countOf()).to.equal(2);
    await ask(service, 'POST /remove', { body: { server_id: id, server_ip: '203.0.113.7' } });
    expect(await countOf()).to.equal(1);
  });
});

describe('GET /health before the first list is loaded', () => {
  let redisPort: number;
  before(async () => {
    redisPort = await freePort();
  });
  const service = useService(() => ({ GSLS_REDIS: `redis://127.0.0.1:${redisPort}` }));

  it('answers 503, so that no load balancer sends clients here', async () => {
    const answer = await ask(service, 'GET /health');
    expectError(answer, 'registry_unavailable');
    expect(answer.headers['retry-after']).to.match(/^[1-5]$/);
  });
});
