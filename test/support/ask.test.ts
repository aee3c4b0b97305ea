/** The client of the tests, where it sends a request twice. */

import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import { expect } from 'chai';
import { ask, type Address } from './ask.ts';

describe('ask', () => {
  const now = performance.now.bind(performance);
  const agent = new Agent({ keepAlive: true });
  /** Which requests are answered by the end of their connection, from 1 on. */
  let dropped: readonly number[] = [];
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    if (dropped.includes(received)) request.socket.destroy();
    else response.end('{}');
  });
  let target: Address;
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    target = { host: '127.0.0.1', port: typeof address === 'object' ? address!.port : 0 };
  });
  beforeEach(async () => {
    received = 0;
    await ask(target, 'GET /', { agent });
  });
  afterEach(() => {
    performance.now = now;
  });
  after(() => {
    agent.destroy();
    server.close();
  });

  const outcomeOf = (): Promise<string> =>
    ask(target, 'GET /', { agent }).then(
      ({ status }) => String(status),
      (error: NodeJS.ErrnoException) => error.code!,
    );
  const passIdle = (ms: number): void => {
    performance.now = () => now() + ms;
  };

  it('sends again, once and over another connection, what met one that was closed as idle', async () => {
    dropped = [2];
    passIdle(1000);
    expect([await outcomeOf(), received]).to.deep.equal(['200', 3]);
  });

  it('sends nothing again that meets the end of another connection', async () => {
    dropped = [2];
    passIdle(500);
    expect([await outcomeOf(), received]).to.deep.equal(['ECONNRESET', 2]);
  });

  it('gives up what meets the end of a connection twice', async () => {
    dropped = [2, 3];
    passIdle(1000);
    expect([await outcomeOf(), received]).to.deep.equal(['ECONNRESET', 3]);
  });
});
