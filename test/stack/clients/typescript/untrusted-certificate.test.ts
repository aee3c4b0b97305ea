/** A service behind TLS, with a certificate that this machine does not trust. */

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createAsk } from '../../../../clients/typescript/src/ask.ts';
import { createCertificate } from '../../../support/certificate.ts';
import { listen } from '../../../support/listen.ts';
import { needs } from '../../../support/needs.ts';

needs('openssl').describe('a request of a client to a service with a certificate of nobody', () => {
  let server: Server;
  let requests = 0;

  before(async () => {
    const certificate = createCertificate('localhost');
    const key = readFileSync(certificate.keyFile);
    certificate.remove();
    server = createServer({ key, cert: certificate.pem }, (_, response) => {
      requests += 1;
      response.end('{}');
    });
    await listen(server, '127.0.0.1', 0);
  });
  after(() => server.close());

  it('is not sent, and says why', async () => {
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { status, cause, reason } = await createAsk({ url, fetch, key: 'secret' })({
      method: 'GET',
      path: '/',
    });
    expect([status, cause, requests]).to.deep.equal([0, 'tls', 0]);
    expect(reason).to.match(/^the TLS connection failed \(/);
  });
});
