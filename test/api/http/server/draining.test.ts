/** A replica that shuts down, as clients see it. */

import { expect } from 'chai';
import type { Service } from '../../../../src/service/service.ts';
import { ask, expectError } from '../../../support/ask.ts';
import { aBroadcast } from '../../../support/builders.ts';
import { openRawConnection, type RawConnection } from '../../../support/raw-connection.ts';
import { startTestService } from '../../../support/start-test-service.ts';

const BODY = JSON.stringify(aBroadcast());
/** Longer than any test. */
const LONG_MS = 600_000;

describe('the shutdown of a replica', () => {
  let service: Service;
  beforeEach(async () => {
    service = await startTestService();
  });
  afterEach(() => service.close());

  /** A request that the service has received without its body. */
  async function beginRequest(): Promise<RawConnection> {
    const connection = await openRawConnection(service);
    connection.send(
      `POST /broadcast HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ${BODY.length}\r\n\r\n`,
    );
    expect((await connection.answer()).status).to.equal(100);
    return connection;
  }

  async function becomeIdle(): Promise<RawConnection> {
    const connection = await openRawConnection(service);
    const { headers } = await connection.send('GET /health HTTP/1.1\r\nHost: a\r\n\r\n').answer();
    expect(headers['connection']).to.equal('keep-alive');
    return connection;
  }

  it('finishes a running request and closes its connection', async () => {
    const connection = await beginRequest();
    const closed = service.close();
    const answer = await connection.send(BODY).answer();
    expect(answer.status).to.equal(200);
    expect(answer.headers['connection']).to.equal('close');
    await connection.end();
    await closed;
  });

  it('waits for running requests', async () => {
    const connection = await beginRequest();
    let isClosed = false;
    const closed = service.close().then(() => (isClosed = true));
    await expectRefusal();
    expect(isClosed).to.equal(false);
    await connection.send(BODY).answer();
    await closed;
    await connection.end();
  });

  it('refuses new connections at once', async () => {
    const connection = await beginRequest();
    const closed = service.close();
    await expectRefusal();
    await connection.send(BODY).answer();
    await closed;
  });

  it('closes idle connections at once', async () => {
    const [busy, ...idle] = [await beginRequest(), await becomeIdle(), await becomeIdle()];
    const closed = service.close();
    for (const connection of idle) await connection.end();
    await busy.send(BODY).answer();
    await closed;
  });

  it('ends at once without connections, and again when called again', async () => {
    await service.close();
    await service.close();
  });

  it('ends although a connection has sent nothing yet', async () => {
    const connection = await openRawConnection(service);
    await service.close();
    await connection.end();
  });

  describe('with a delay', () => {
    it('makes the health check fail at once with shutting_down', async () => {
      void service.close({ delayMs: LONG_MS });
      expectError(await ask(service, 'GET /health'), 'shutting_down');
      expect((await ask(service, 'HEAD /health')).status).to.equal(503);
    });

    it('serves all other requests as before, on new connections too', async () => {
      void service.close({ delayMs: LONG_MS });
      const { status, body } = await ask(service, 'POST /broadcast', { body: BODY });
      expect(status).to.equal(200);
      const { servers } = (await ask(service, 'GET /')).body;
      expect(servers?.map(({ id }) => id)).to.deep.equal([body.server_id]);
      const ping = aBroadcast({ server_id: body.server_id });
      expect((await ask(service, 'POST /ping', { body: ping })).status).to.equal(200);
    });

    it('closes every connection after its next answer, whatever the answer', async () => {
      const busy = await beginRequest();
      const idle = await Promise.all(Array.from({ length: 5 }, becomeIdle));
      void service.close({ delayMs: LONG_MS });
      const requests = [
        'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
        'GET /?a=b HTTP/1.1\r\nHost: a\r\n\r\n',
        'GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n',
        'GET /health HTTP/1.1\r\nHost: a\r\n\r\n',
        'no HTTP\r\n\r\n',
      ];
      for (const [i, request] of requests.entries()) {
        const { headers } = await idle[i]!.send(request).answer();
        expect(headers['connection']).to.equal('close');
        await idle[i]!.end();
      }
      const { headers } = await busy.send(BODY).answer();
      expect(headers['connection']).to.equal('close');
      await busy.end();
    });

    it('refuses connections when the delay is over', async () => {
      const connection = await becomeIdle();
      await service.close({ delayMs: 1 });
      await connection.end();
      await expectRefusal();
    });

    it('waits no longer when called again without a delay', async () => {
      void service.close({ delayMs: LONG_MS });
      expect((await ask(service, 'GET /')).status).to.equal(200);
      await service.close();
      await expectRefusal();
    });
  });

  async function expectRefusal(): Promise<void> {
    const error = await ask(service, 'GET /').catch((reason: unknown) => reason as NodeJS.ErrnoException);
    expect(error).to.have.property('code', 'ECONNREFUSED');
  }
});
