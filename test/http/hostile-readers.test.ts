/** Readers of the list that ask for too much, read too slowly or hang up in the middle. */

import { once } from 'node:events';
import { expect } from 'chai';
import type { Logger } from '../../src/log/logger.ts';
import type { Service } from '../../src/service/service.ts';
import { ask, expectError } from '../support/ask.ts';
import { aBroadcast, type ListBody } from '../support/builders.ts';
import { jsonOf, openRawConnection, plainRequest, type RawConnection } from '../support/raw-connection.ts';
import { startTestService } from '../support/start-test-service.ts';

const SERVERS = 600;

describe('a list of a hundred kilobytes', function () {
  this.timeout(120_000);
  let service: Service;
  const complaints: string[] = [];
  const complain = (_fields: object, message: string): void => void complaints.push(message);
  const logger: Logger = { debug: () => undefined, info: () => undefined, warn: complain, error: complain };

  before(async () => {
    // So many broadcasts may overload a slow machine, which would say so, and take long.
    service = await startTestService({ GSLS_NO_LOAD_SHEDDING: 'true', GSLS_TTL: '3600' }, logger);
    for (let i = 0; i < SERVERS; i += 100) {
      await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          ask(service, 'POST /broadcast', {
            body: aBroadcast({ server_port: i + n + 1, server_name: 'x'.repeat(128) }),
          }),
        ),
      );
    }
  });
  after(() => service.close());
  afterEach(() => {
    expect(complaints).to.deep.equal([]);
  });

  async function askRaw(): Promise<RawConnection> {
    const connection = await openRawConnection(service);
    return connection.send(plainRequest('GET /'));
  }

  it('is dropped without a log line when its readers hang up in the middle', async () => {
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { socket } = await askRaw();
        await once(socket, 'readable');
        socket.resetAndDestroy();
        await once(socket, 'close');
      }),
    );
    expect((await ask(service, 'GET /')).body.count).to.equal(SERVERS);
  });

  it('reaches a slow reader as of its request, while other readers get newer lists', async () => {
    const slow = await askRaw();
    slow.socket.pause();
    for (let players = 10; players < 20; players += 1) {
      const { body } = await ask(service, 'POST /broadcast', { body: aBroadcast({ players }) });
      const { servers } = (await ask(service, 'GET /')).body;
      expect(servers?.at(-1)).to.include({ id: body.server_id, players });
    }
    slow.socket.resume();
    const list = jsonOf(await slow.answer()) as unknown as ListBody;
    slow.destroy();
    expect(list.servers).to.have.length(list.count);
    expect(list.count).to.be.within(SERVERS, SERVERS + 10);
  });

  it('gets 431 for ten thousand tags', async () => {
    const tags = Array.from({ length: 10_000 }, (_, i) => `"${i}"`).join(', ');
    expectError(await ask(service, 'GET /', { headers: { 'If-None-Match': tags } }), 'headers_too_large');
  });

  it('gets 304 for a thousand tags, if one matches', async () => {
    const { headers } = await ask(service, 'GET /');
    const tags = [...Array.from({ length: 1000 }, (_, i) => `"${i}"`), headers.etag].join(',');
    expect((await ask(service, 'GET /', { headers: { 'If-None-Match': tags } })).status).to.equal(304);
  });

  it('is sent whole for a malformed Accept-Encoding', async () => {
    const { status, body } = await ask(service, 'GET /', {
      headers: { 'Accept-Encoding': ';q=1,,=,gzip;q=2,\t*;q=x' },
    });
    expect(status).to.equal(200);
    expect(body.servers).to.have.length(body.count!);
  });
});
