import { expect } from 'chai';
import { ask, expectError } from '../../support/ask.ts';
import { openRawConnection } from '../../support/raw-connection.ts';
import { useService } from '../../support/use-service.ts';

const METHODS = {
  '/': 'GET, HEAD, OPTIONS',
  '/health': 'GET, HEAD, OPTIONS',
  '/broadcast': 'POST, OPTIONS',
  '/ping': 'GET, POST, OPTIONS',
  '/remove': 'POST, OPTIONS',
};

describe('HEAD', () => {
  const service = useService();

  for (const path of ['/', '/health'])
    it(`${path} answers like GET, without the body`, async () => {
      const [get, head] = [await ask(service, `GET ${path}`), await ask(service, `HEAD ${path}`)];
      expect([head.status, head.text]).to.deep.equal([200, '']);
      for (const name of ['content-type', 'content-length', 'x-content-type-options'])
        expect(head.headers[name], name).to.equal(get.headers[name]);
    });

  it('leaves the connection usable for the next request', async () => {
    const connection = await openRawConnection(service);
    connection.send('HEAD / HTTP/1.1\r\nHost: a\r\n\r\nHEAD /nothing HTTP/1.1\r\nHost: a\r\n\r\n');
    connection.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect((await connection.answer('HEAD')).status).to.equal(200);
    expect((await connection.answer('HEAD')).status).to.equal(404);
    expect((await connection.answer()).body.toString()).to.equal('{"servers":[],"count":0}');
    connection.destroy();
  });

  it('gets 405 where GET is not a read', async () => {
    for (const path of ['/broadcast', '/ping', '/remove']) {
      const { status, headers, text } = await ask(service, `HEAD ${path}`);
      expect([status, text]).to.deep.equal([405, '']);
      expect(headers['allow']).to.equal(METHODS[path as '/ping']);
    }
  });
});

describe('OPTIONS', () => {
  const service = useService();

  for (const [path, methods] of Object.entries(METHODS)) {
    it(`${path} answers 204 with the methods it takes`, async () => {
      const { status, headers, text } = await ask(service, `OPTIONS ${path}`);
      expect([status, text, headers['allow']]).to.deep.equal([204, '', methods]);
      expect(headers).to.not.have.property('content-type');
    });

    it(`${path} names the same methods as the 405 to another method`, async () => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'M-SEARCH']) {
        if (methods.includes(method)) continue;
        const answer = await ask(service, `${method} ${path}`, { body: '' });
        expectError(answer, 'method_not_allowed');
        expect(answer.headers['allow']).to.equal(methods);
      }
    });
  }

  it('gets 404 at an unknown path', async () => {
    for (const path of ['/nothing', '*']) expectError(await ask(service, `OPTIONS ${path}`), 'not_found');
  });
});
