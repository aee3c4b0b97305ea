/** A slow or hostile client of the operations port: it slows neither the public port nor other clients of its own. */

import { once } from 'node:events';
import { Agent } from 'node:http';
import { expect } from 'chai';
import { MAX_PIPELINED } from '../../../src/api/http/server/answers-in-flight.ts';
import type { Service } from '../../../src/service/service.ts';
import { ask, type TestAnswer } from '../../support/ask.ts';
import { openRawConnection, plainRequest, type RawConnection } from '../../support/raw-connection.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';

/** As many as the port takes from one address. */
const CONNECTIONS_PER_ADDRESS = 64;
/** Another address than that of the hostile client. */
const ELSEWHERE = '127.0.0.2';

describe('a hostile client of the operations port', () => {
  let service: Service;
  let ops: { readonly url: string };
  const connections: RawConnection[] = [];
  beforeEach(async () => {
    service = await startTestService({ GSLS_OPS_PORT: '0' });
    ops = { url: service.opsUrl! };
  });
  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.destroy();
    await service.close();
  });

  async function open(localAddress: string): Promise<RawConnection> {
    const connection = await openRawConnection(ops, localAddress);
    connections.push(connection);
    return connection;
  }

  const openHostile = (): Promise<RawConnection> => open('127.0.0.1');

  const askFromElsewhere = (path: string): Promise<TestAnswer> =>
    ask(ops, `GET ${path}`, { agent: new Agent({ localAddress: ELSEWHERE }) });

  it('that holds all connections it may have keeps out nobody else', async () => {
    for (let n = 0; n < CONNECTIONS_PER_ADDRESS; n += 1) await openHostile();
    for (const slow of connections) slow.send('GET /metrics HTTP/1.1\r\nHost: ');
    expect(await (await openHostile()).answerOrEnd()).to.equal(undefined);
    expect((await askFromElsewhere('/metrics')).status).to.equal(200);
    expect((await ask(service, 'GET /')).status).to.equal(200);
    connections[0]!.destroy();
    await until(async () => {
      const answer = await (await openHostile()).send(plainRequest('GET /livez')).answerOrEnd();
      return answer?.status === 200;
    });
  });

  it('that sends requests ahead and does not read is cut off', async () => {
    const [sending, other] = [await openHostile(), await openHostile()];
    sending.socket.pause();
    sending.send(plainRequest('GET /metrics').repeat(MAX_PIPELINED + 2));
    await once(sending.socket, 'error');
    expect((await other.send(plainRequest('GET /livez')).answer()).status).to.equal(200);
    expect((await askFromElsewhere('/livez')).status).to.equal(200);
  });
});
