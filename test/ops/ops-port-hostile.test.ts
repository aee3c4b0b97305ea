/** A slow or hostile client of the operations port: it slows neither the public port nor other clients of its own. */

import { Agent } from 'node:http';
import { expect } from 'chai';
import type { Service } from '../../src/service/service.ts';
import { ask, type TestAnswer } from '../support/ask.ts';
import { openRawConnection, plainRequest, type RawConnection } from '../support/raw-connection.ts';
import { startTestService } from '../support/start-test-service.ts';
import { until } from '../support/until.ts';

/** As many as the port takes. */
const CONNECTIONS = 64;
const PIPELINED = 10;
const MOST_PER_SECOND = 250;
/** How often the port starts what waits: as often as a timer of this process with this interval runs. */
const INTERVAL_MS = 20;
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

  it('that holds all connections loses those that it uses least, and only its own', async () => {
    const elsewhere = await open(ELSEWHERE);
    const { status } = await elsewhere.send(plainRequest('GET /livez')).answer();
    expect(status).to.equal(200);
    const held: RawConnection[] = [];
    while (held.length < CONNECTIONS) held.push(await openHostile());
    const [first, ...others] = held;
    await first!.end();
    expect((await others[0]!.send(plainRequest('GET /livez')).answer()).status).to.equal(200);
    expect((await ask(ops, 'GET /readyz')).status).to.equal(200);
    await others[1]!.end();
    for (const each of [others[0]!, others.at(-1)!, elsewhere])
      expect((await each.send(plainRequest('GET /livez')).answer()).status).to.equal(200);
  });

  it('that opens many more connections leaves nothing behind that others would have to wait for', async () => {
    for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 100 }, openHostile));
    // The system takes them before the service does, one in each turn of its event loop.
    const surplus = connections.length - CONNECTIONS;
    await until(() => connections.filter(({ socket }) => socket.destroyed).length >= surplus);
    for (const connection of connections.splice(0)) connection.destroy();
    let intervals = 0;
    const timer = setInterval(() => (intervals += 1), INTERVAL_MS);
    try {
      expect((await askFromElsewhere('/livez')).status).to.equal(200);
    } finally {
      clearInterval(timer);
    }
    expect(intervals).to.be.below(1000 / INTERVAL_MS);
  });

  it('that asks without pause gets its turns, between those of others', async () => {
    let answers = 0;
    const hostile = await Promise.all(Array.from({ length: CONNECTIONS - 4 }, openHostile));
    const answersInAll = hostile.length * PIPELINED;
    const begunAt = performance.now();
    const all = hostile.map(async (connection) => {
      connection.send(plainRequest('GET /livez').repeat(PIPELINED));
      for (let n = 0; n < PIPELINED; n += 1) {
        expect((await connection.answer()).status).to.equal(200);
        answers += 1;
      }
    });
    await until(() => answers > 0);
    expect((await ask(service, 'GET /')).status).to.equal(200);
    expect((await askFromElsewhere('/livez')).status).to.equal(200);
    expect(answers).to.be.below(answersInAll * 0.7);
    await Promise.all(all);
    expect((answersInAll / (performance.now() - begunAt)) * 1000).to.be.below(MOST_PER_SECOND * 1.1);
  });

  it('that sends requests ahead and does not read is cut off, and its address has to rest', async () => {
    const [sending, other] = [await openHostile(), await openHostile()];
    sending.socket.pause();
    sending.send(plainRequest('GET /metrics').repeat(PIPELINED + 2));
    await other.end();
    const error = await ask(ops, 'GET /livez', { giveUpAfterMs: 500 }).catch((reason: unknown) => reason);
    expect(error).to.have.property('message', 'no answer');
    expect((await askFromElsewhere('/livez')).status).to.equal(200);
    expect((await ask(service, 'GET /')).status).to.equal(200);
  });
});
