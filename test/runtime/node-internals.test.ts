/** What is taken of the insides of Node, held against this version of it. */

import { once } from 'node:events';
import {
  createServer,
  type RequestListener,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import {
  closeAfterWrites,
  isSentAhead,
  onceItHasConnection,
  replaceClosing,
  responseOn,
  stopListening,
  throwAwayInput,
  unblockWrites,
} from '../../src/runtime/node-internals.ts';
import { until } from '../support/until.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

describe('the insides of Node', () => {
  let server: Server;
  /** Both ends of one connection. */
  let client: Socket;
  let peer: Socket;
  let responses: ServerResponse[];

  async function start(listener: RequestListener = () => undefined): Promise<void> {
    responses = [];
    server = createServer((request, response) => {
      responses.push(response);
      listener(request, response);
    }).listen();
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port);
    [peer] = (await once(server, 'connection')) as [Socket];
  }
  afterEach(() => {
    client.destroy();
    server.close();
  });

  const requests = async (count: number): Promise<void> => {
    client.write(REQUEST.repeat(count));
    await until(() => responses.length === count);
  };

  it('let a server stop listening, and keep its connections until it is closed', async () => {
    await start((_, response) => response.end());
    await requests(1);
    const { port } = server.address() as AddressInfo;
    stopListening(server as HttpServer);
    const error = await once(connect(port), 'connect').catch((each: unknown) => each as Error);
    expect(String(error)).to.include('ECONNREFUSED');
    client.write(REQUEST);
    await until(() => responses.length === 2);
    const closed = new Promise((resolve) => server.close(resolve));
    await once(client.resume(), 'close');
    await closed;
  });

  it('tell which response has the connection', async () => {
    await start();
    expect(responseOn(peer)).to.equal(undefined);
    await requests(2);
    const [first, second] = responses;
    expect(responseOn(peer)).to.equal(first);
    first!.end();
    await once(first!, 'finish');
    expect(responseOn(peer)).to.equal(second);
    second!.end();
    await once(second!, 'finish');
    expect(responseOn(peer)).to.equal(undefined);
  });

  it('tell which requests were sent ahead, and when each has the connection', async () => {
    await start();
    await requests(3);
    expect(responses.map(isSentAhead)).to.deep.equal([false, true, true]);
    const begun: number[] = [];
    for (const [index, response] of responses.entries())
      onceItHasConnection(response, () => begun.push(index));
    expect(begun).to.deep.equal([0]);
    responses[0]!.end();
    await once(responses[0]!, 'finish');
    expect(begun).to.deep.equal([0, 1]);
    expect(responses.map(isSentAhead)).to.deep.equal([true, false, true]);
    client.destroy();
    await until(() => peer.destroyed);
    expect(begun).to.deep.equal([0, 1]);
  });

  it('let another one close the connection after an answer with Connection: close', async () => {
    let closings = 0;
    await start((request, response) => {
      replaceClosing(request.socket, () => (closings += 1));
      response.shouldKeepAlive = false;
      response.end('the answer');
    });
    await requests(1);
    await until(() => closings > 0);
    expect([closings, peer.destroyed, peer.writable]).to.deep.equal([1, false, true]);
    peer.write(' and more');
    closeAfterWrites(peer);
    expect(await text(client)).to.match(/the answer and more$/);
    await until(() => peer.destroyed);
  });

  it('let what arrives be thrown away', async () => {
    await start();
    throwAwayInput(peer);
    const { bytesRead } = peer;
    client.end(REQUEST);
    await until(() => peer.readableEnded);
    expect(peer.bytesRead - bytesRead).to.equal(REQUEST.length);
    expect(responses).to.deep.equal([]);
  });

  it('let writes not block', async () => {
    await start();
    expect(unblockWrites(client)).to.equal(true);
    client.destroy();
    expect(unblockWrites(client)).to.equal(false);
  });
});
