/** The part of fetch that clients of the service use. */

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createNetServer, type AddressInfo, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { httpFetch } from '../../src/runtime/http-fetch.ts';

describe('httpFetch', () => {
  let server: Server | undefined;
  const listen = async (its: Server): Promise<string> => {
    server = its;
    await once(its.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(its.address() as AddressInfo).port}/`;
  };
  const answerWith = (listener: RequestListener): Promise<string> => listen(createServer(listener));
  afterEach(() => server?.close());

  it('rejects if the other side takes the connection and closes it at once', async () => {
    const url = await listen(createNetServer((socket) => socket.end()));
    const outcome = await httpFetch(url, {}).catch((error: NodeJS.ErrnoException) => error.code);
    expect(outcome).to.equal('ECONNRESET');
  });

  it('leads nowhere that nobody named', async () => {
    const url = await answerWith((_, response) =>
      response.writeHead(302, { Location: '/other' }).end('moved'),
    );
    const answer = await httpFetch(url, {});
    expect([answer.status, answer.headers.get('location'), await answer.text()]).to.deep.equal([
      302,
      '/other',
      'moved',
    ]);
  });

  for (const encoding of ['identity', 'gzip'])
    it(`drops an answer that is aborted before anybody reads it, in ${encoding}`, async () => {
      const url = await answerWith((_, response) => {
        response.writeHead(200, { 'Content-Encoding': encoding });
        response.write(encoding === 'gzip' ? gzipSync('begun').subarray(0, 12) : 'begun');
      });
      const aborting = new AbortController();
      const closed = once(server!, 'connection').then(([socket]) => once(socket, 'close'));
      await httpFetch(url, { signal: aborting.signal });
      // An error that nobody hears would end the process, and fail this test.
      aborting.abort();
      await closed;
    });
});
