import { expect } from 'chai';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { valueOf } from '../../support/metrics.ts';
import { useService } from '../../support/use-service.ts';

const BEACONS = {
  fra: { url: 'https://fra.example.com', place: 'Frankfurt', latency: { nyc: 82 } },
  nyc: 'https://nyc.example.com/beacon',
};

describe('the beacons of a service', () => {
  const service = useService({ GSLS_BEACONS: JSON.stringify(BEACONS) });

  it('are told to whoever measures them, and may be kept for a minute', async () => {
    const { text, headers } = await ask(service, 'GET /beacons');
    expect(JSON.parse(text)).to.deep.equal({
      status: 'success',
      beacons: [
        { id: 'fra', url: 'https://fra.example.com/', place: 'Frankfurt', latency: { nyc: 82 } },
        { id: 'nyc', url: 'https://nyc.example.com/beacon', latency: {} },
      ],
    });
    expect(headers['cache-control']).to.equal('public, max-age=60');
    expect((await ask(service, 'GET /beacons?a=b')).status).to.equal(400);
  });

  it('are announced to game servers by a header, which pages may read', async () => {
    const { headers, body } = await ask(service, 'POST /broadcast', { body: aBroadcast() });
    const pinged = await ask(service, 'POST /ping', { body: aBroadcast({ server_id: body.server_id }) });
    expect(headers['server-beacons']).to.match(/^[\w-]{8}$/);
    expect(pinged.headers['server-beacons']).to.equal(headers['server-beacons']);
  });

  it('count what no place can have measured, once for each time that it is said', async () => {
    const liar = aBroadcast({ latency: { fra: 3, nyc: 3 } });
    const { body } = await ask(service, 'POST /broadcast', { body: liar });
    for (let n = 0; n < 3; n += 1)
      await ask(service, 'POST /ping', { body: { ...liar, server_id: body.server_id } });
    await ask(service, 'POST /broadcast', { body: aBroadcast({ latency: { fra: 3, nyc: 80 } }) });
    const { text } = await ask(service, 'GET /metrics');
    expect(valueOf(text, 'gsls_impossible_latencies_total')).to.equal(1);
  });
});

describe('a service without beacons', () => {
  const service = useService();

  it('has no such path, and sends no header', async () => {
    expect((await ask(service, 'GET /beacons')).status).to.equal(404);
    const { headers } = await ask(service, 'POST /broadcast', { body: aBroadcast() });
    expect(headers).not.to.have.property('server-beacons');
  });
});
