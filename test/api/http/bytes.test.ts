/** Bodies that an endpoint takes as they stand, and errors in the words of another protocol. */

import { expect } from 'chai';
import { gzipSync } from 'node:zlib';
import { openRawConnection } from '../../support/raw-connection.ts';
import { useService } from '../../support/use-service.ts';

const REGISTER = '/ddnet/15/register';
const MOST_BYTES = 32 * 1024;

describe('a body that is taken as it stands', () => {
  const service = useService({ GSLS_PROTOCOLS: 'ddnet,luanti' });

  const post = (
    body: string | Buffer | ReadableStream,
    headers: Record<string, string> = {},
  ): Promise<Response> => {
    const duplex = body instanceof ReadableStream ? { duplex: 'half' as const } : {};
    return fetch(service.url + REGISTER, { method: 'POST', body, headers, ...duplex });
  };

  it('may be as long as its route says, in one piece or in many', async () => {
    for (const body of ['x'.repeat(MOST_BYTES), new Blob(['x'.repeat(MOST_BYTES)]).stream()]) {
      const response = await post(body);
      expect(response.status).to.equal(400);
      expect(await response.json()).to.deep.equal({
        status: 'error',
        message: 'missing required header Address',
      });
    }
  });

  it('is refused in the words of its protocol where it is longer, or encoded', async () => {
    for (const body of ['x'.repeat(MOST_BYTES + 1), new Blob(['x'.repeat(MOST_BYTES + 1)]).stream()]) {
      const response = await post(body);
      expect(response.status).to.equal(413);
      expect(await response.json()).to.deep.equal({
        status: 'error',
        message: 'The request payload is too large',
      });
    }
    const encoded = await post(gzipSync('{}'), { 'Content-Encoding': 'gzip' });
    expect([encoded.status, ((await encoded.json()) as { status: string }).status]).to.deep.equal([
      415,
      'error',
    ]);
  });

  it('is asked for where a client waits for that', async () => {
    const connection = await openRawConnection(service);
    connection.send(
      `POST ${REGISTER} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
    );
    expect((await connection.answer()).status).to.equal(100);
    connection.send('{}');
    expect((await connection.answer()).status).to.equal(400);
    connection.socket.destroy();
  });
});
