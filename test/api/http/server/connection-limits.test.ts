/** Limits of open connections: one too many is closed at once, and makes room for none that are open. */

import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  limitConnections,
  type ConnectionLimitsOptions,
} from '../../../../src/api/http/server/connection-limits.ts';
import { ask } from '../../../support/ask.ts';
import { listen } from '../../../support/listen.ts';
import { valueOf } from '../../../support/metrics.ts';
import { openRawConnection, plainRequest, type RawConnection } from '../../../support/raw-connection.ts';
import { until } from '../../../support/until.ts';
import { useService } from '../../../support/use-service.ts';

async function isAnswered(connection: RawConnection): Promise<boolean> {
  return (await connection.send(plainRequest('GET /health')).answerOrEnd()) !== undefined;
}

describe('a service with --max-connections', () => {
  const service = useService({ GSLS_MAX_CONNECTIONS: '3' });
  const open: RawConnection[] = [];
  afterEach(() => {
    for (const connection of open.splice(0)) connection.destroy();
  });

  it('closes one too many at once, serves the others, and takes a new one when there is room', async () => {
    for (let n = 0; n < 3; n += 1) {
      open.push(await openRawConnection(service));
      expect(await isAnswered(open[n]!)).to.equal(true);
    }
    const tooMany = await openRawConnection(service);
    expect(await tooMany.answerOrEnd()).to.equal(undefined);
    for (const connection of open) expect(await isAnswered(connection)).to.equal(true);
    open.pop()!.destroy();
    await until(async () => {
      const next = await openRawConnection(service);
      open.push(next);
      return isAnswered(next);
    });
    open.pop()!.destroy();
    let text = '';
    await until(() =>
      ask(service, 'GET /metrics')
        .then((answer) => (text = answer.text) !== '')
        .catch(() => false),
    );
    expect(valueOf(text, 'gsls_connections_closed_total', { limit: 'all' })).to.be.at.least(1);
    expect(valueOf(text, 'gsls_open_connections')).to.be.within(3, 4);
  });
});

describe('the limit of connections per address', () => {
  let server: Server;
  let closed: unknown[];
  const sockets: Socket[] = [];

  async function start(options: Partial<ConnectionLimitsOptions>): Promise<void> {
    closed = [];
    server = createServer((_request, response) => response.end());
    limitConnections(server, {
      most: undefined,
      mostPerAddress: 2,
      isExempt: () => false,
      onClosed: (limit, address) => closed.push([limit, address]),
      ...options,
    });
    await listen(server, '127.0.0.1', 0);
  }
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });

  /** Whether the connection is open after the server has seen it. */
  async function connectFrom(localAddress: string): Promise<boolean> {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ host: '127.0.0.1', port, localAddress });
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    // A connection that is closed with a request unread may end with an error.
    return new Promise((resolve) => {
      socket.once('data', () => resolve(true));
      socket.once('close', () => resolve(false));
    });
  }

  it('closes the third of an address at once, and none of another', async () => {
    await start({});
    const opened = [];
    for (const address of ['127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.2'])
      opened.push(await connectFrom(address));
    expect(opened).to.deep.equal([true, true, false, true]);
    expect(closed).to.deep.equal([['address', '127.0.0.1']]);
  });

  it('counts open connections only', async () => {
    await start({ mostPerAddress: 1 });
    for (let n = 0; n < 5; n += 1) {
      expect(await connectFrom('127.0.0.1')).to.equal(true);
      const socket = sockets.pop()!;
      const before = await new Promise<number>((resolve) => {
        server.getConnections((_error, count) => resolve(count));
      });
      socket.destroy();
      await until(
        () =>
          new Promise<boolean>((resolve) => {
            server.getConnections((_error, count) => resolve(count < before));
          }),
      );
    }
  });

  it('is not for exempt addresses', async () => {
    await start({ isExempt: (ip) => ip === '127.0.0.1' });
    for (let n = 0; n < 5; n += 1) expect(await connectFrom('127.0.0.1')).to.equal(true);
    expect([
      await connectFrom('127.0.0.2'),
      await connectFrom('127.0.0.2'),
      await connectFrom('127.0.0.2'),
    ]).to.deep.equal([true, true, false]);
  });
});
