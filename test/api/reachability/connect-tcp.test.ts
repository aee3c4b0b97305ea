/** Probes over TCP, against servers of every kind of behaviour. */

import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { freePort } from '../../support/free-port.ts';
import { until } from '../../support/until.ts';
import { useProbes } from './use-probes.ts';

for (const [ip, host] of [
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '[::1]'],
] as const)
  describe(`a probe over TCP to ${ip}`, () => {
    const probes = useProbes();

    /** Serves each connection by the function. */
    const serve = async (onConnection: (socket: Socket) => void): Promise<number> => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined);
        probes.afterwards(() => socket.destroy());
        onConnection(socket);
      });
      server.listen(0, ip);
      await once(server, 'listening');
      probes.afterwards(() => server.close());
      return (server.address() as AddressInfo).port;
    };

    it('is answered by a server that takes the connection, and closes it without a byte', async () => {
      const closed: Promise<unknown>[] = [];
      const received: Buffer[] = [];
      const port = await serve((socket) => {
        closed.push(once(socket, 'close'));
        socket.on('data', (data) => received.push(data));
      });
      expect(await probes.start('tcp', port, ip)).to.deep.equal({ outcome: 'answered', words: 'verified' });
      await Promise.all(closed);
      expect(received).to.deep.equal([]);
    });

    it('says that a port is closed', async () => {
      const port = await freePort();
      for (const kind of ['tcp', 'http'] as const)
        expect(await probes.start(kind, port, ip)).to.deep.equal({
          outcome: 'refused',
          words: `TCP ${host}:${port} refused the connection: is the game server listening?`,
        });
    });

    it('is answered by any status of HTTP, to a request of one path and few headers', async () => {
      for (const status of ['200 OK', '404 Not Found', '500 Oops', '101 Switching Protocols', '204']) {
        const received: string[] = [];
        const port = await serve((socket) =>
          socket.once('data', (data) => {
            received.push(data.toString());
            socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`);
          }),
        );
        expect(await probes.outcome('http', port, ip)).to.equal('answered');
        expect(received).to.deep.equal([
          `GET / HTTP/1.1\r\nHost: ${host}:${port}\r\nUser-Agent: gsls\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
        ]);
      }
    });

    it('follows no redirect', async () => {
      let connections = 0;
      const port = await serve((socket) => {
        connections += 1;
        socket.once('data', () =>
          socket.end(`HTTP/1.0 302 Found\r\nLocation: http://${host}:${port}/next\r\n\r\n`),
        );
      });
      expect(await probes.outcome('http', port, ip)).to.equal('answered');
      await nextTurnOfTheLoop();
      expect(connections).to.equal(1);
    });

    it('does not wait for the end of an answer that has none', async () => {
      const port = await serve((socket) => {
        const flood = (): void => {
          while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 'a')));
        };
        socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n', flood)).on('drain', flood);
      });
      expect(await probes.outcome('http', port, ip)).to.equal('answered');
    });

    it('is answered by a status line that comes byte by byte', async () => {
      const port = await serve((socket) => {
        const line = 'HTTP/1.1 200 OK\r\n'.split('');
        const drip = (): void => {
          const byte = line.shift();
          if (byte !== undefined && !socket.destroyed) socket.write(byte, () => setImmediate(drip));
        };
        socket.setNoDelay(true).once('data', drip);
      });
      expect(await probes.outcome('http', port, ip)).to.equal('answered');
    });

    it('is not answered by something else than HTTP, and ends with its first bytes', async () => {
      const texts = [
        '\u0015\u0003\u0001\u0000\u0002\u0002P',
        'SSH-2.0-x\r\n',
        'HTTP/2.0 200 OK\r\n',
        'HTTP/1.1 x00 OK',
        'HTTP/1.1 20000 OK',
      ];
      for (const text of texts) {
        const port = await serve((socket) => socket.write(text, 'latin1'));
        expect(await probes.start('http', port, ip)).to.deep.equal({
          outcome: 'other_protocol',
          words: `TCP ${host}:${port} takes connections, but gives no HTTP answer: is it an HTTP server without TLS?`,
        });
      }
    });

    it('is not answered by a server that closes or resets the connection after the request', async () => {
      const ends = [(socket: Socket) => socket.end('HTTP/1.1'), (socket: Socket) => socket.resetAndDestroy()];
      for (const end of ends) {
        const port = await serve((socket) => socket.once('data', () => end(socket)));
        expect(await probes.outcome('http', port, ip)).to.equal('other_protocol');
      }
    });

    it('ends at its deadline when a server takes the request and says nothing, or half of a status line', async () => {
      for (const text of ['', 'HTTP/1.1 2']) {
        let asked = false;
        const port = await serve((socket) =>
          socket.once('data', () => {
            if (text === '') asked = true;
            else socket.write(text, () => (asked = true));
          }),
        );
        const result = probes.start('http', port, ip);
        await until(() => asked);
        await probes.clock.advance(3000);
        expect((await result).outcome).to.equal('other_protocol');
      }
    });
  });
