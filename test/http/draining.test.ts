/** What clients see of a replica that stops. */

import { expect } from 'chai';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Service } from '../../src/service.ts';
import { aBroadcast } from '../support/builders.ts';
import { openRawConnection, type RawConnection } from '../support/raw-connection.ts';
import { startTestService } from '../support/start-test-service.ts';

const BODY = JSON.stringify(aBroadcast());

describe('close', () => {
  let service: Service;
  beforeEach(async () => {
    service = await startTestService();
  });
  afterEach(() => service.close());

  /** A request whose body is still to come, and of which the service knows. */
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

  it('finishes a request that is under way and closes its connection', async () => {
    const connection = await beginRequest();
    const closed = service.close();
    const answer = await connection.send(BODY).answer();
    expect(answer.status).to.equal(200);
    expect(answer.headers['connection']).to.equal('close');
    await connection.end();
    await closed;
  });

  it('waits for the requests that are under way', async () => {
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

  it('resolves at once when nobody is connected, and again when called again', async () => {
    await service.close();
    await service.close();
  });

  it('resolves though a connection has said nothing yet', async () => {
    const connection = await openRawConnection(service);
    await service.close();
    await connection.end();
  });

  async function expectRefusal(): Promise<void> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).to.equal('ECONNREFUSED');
  }
});
