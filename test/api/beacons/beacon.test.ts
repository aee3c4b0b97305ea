/** A beacon: answers at once with nothing, and bears with whoever comes. */

import { expect } from 'chai';
import { connect } from 'node:net';
import { once } from 'node:events';
import { BeaconPortError, startBeacon, type OpenBeacon } from '../../../src/api/beacons/beacon.ts';
import { parseNetworks } from '../../../src/model/net/networks.ts';
import { ask } from '../../support/ask.ts';

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

describe('a beacon', () => {
  let beacon: OpenBeacon;
  before(async () => {
    beacon = await startBeacon({
      host: '127.0.0.1',
      port: 0,
      perMinute: 20,
      trustedProxies: parseNetworks('loopback'),
    });
  });
  after(() => beacon.close());

  it('answers pages of all origins with nothing, which no cache keeps', async () => {
    const { status, bytes, headers } = await ask(beacon, 'GET /any/path?at=all', from('192.0.2.1'));
    expect([status, bytes.length]).to.deep.equal([204, 0]);
    expect(headers).to.include({
      'access-control-allow-origin': '*',
      'timing-allow-origin': '*',
      'cache-control': 'no-store',
    });
  });

  it('sends fewer bytes than a browser sends to it', async () => {
    const { rawHeaders } = await ask(beacon, 'GET /', from('192.0.2.2'));
    expect(rawHeaders.join(': ').length).to.be.below(250);
  });

  it('lets an address ask so often in a minute, and no more', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1) statuses.push((await ask(beacon, 'GET /', from('192.0.2.3'))).status);
    expect(statuses).to.deep.equal([...Array.from({ length: 20 }, () => 204), 429]);
    expect((await ask(beacon, 'GET /', from('192.0.2.4'))).status).to.equal(204);
  });

  it('takes GET and HEAD alone', async () => {
    expect((await ask(beacon, 'HEAD /', from('192.0.2.5'))).status).to.equal(204);
    const { status, headers } = await ask(beacon, 'POST /', {
      ...from('192.0.2.5'),
      body: 'x'.repeat(100_000),
    });
    expect([status, headers['allow']]).to.deep.equal([405, 'GET, HEAD']);
  });

  it('hangs up on what is no HTTP, and goes on', async () => {
    const port = Number(new URL(beacon.url).port);
    for (const bytes of ['\0\0\0\0\r\n\r\n', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`]) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(bytes);
      await once(socket.resume(), 'close');
    }
    expect((await ask(beacon, 'GET /', from('192.0.2.6'))).status).to.equal(204);
  });

  it('says which port it cannot have', async () => {
    const port = Number(new URL(beacon.url).port);
    const error = await startBeacon({ host: '127.0.0.1', port }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(BeaconPortError);
  });
});
