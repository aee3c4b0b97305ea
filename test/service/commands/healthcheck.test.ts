/** `gsls healthcheck` in this process, before services and before what is none. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { freePort } from '../../support/free-port.ts';
import { listen } from '../../support/listen.ts';
import { useService } from '../../support/use-service.ts';
import { complaintHere, runHere, type Variables } from '../../cli/run-here.ts';

const check = (url: string): string[] => ['healthcheck', '--host', '127.0.0.1', '--port', new URL(url).port];

/** Of letters that headers have in other bytes, or not at all. */
const KEYS: readonly Variables[] = [{ GSLS_KEY: 'k\u00e9y \u{1F511} \u4e2d' }, { GSLS_KEY: '\u00e0' }];

describe('gsls healthcheck', () => {
  const plain = useService();
  const guarded = KEYS.map((key) => useService(key));

  it('a replica is healthy, with as many game servers as it lists', async () => {
    await plain.broadcast();
    expect(await runHere(check(plain.url))).to.equal('healthy, 1 server listed');
  });

  it('the configured key is used, whatever letters it has', async () => {
    for (const [at, key] of KEYS.entries()) {
      const { url } = guarded[at]!;
      expect(await runHere(check(url), key)).to.match(/^healthy, /);
      for (const wrong of [{ GSLS_KEY: 'other' }, {}] as Variables[])
        expect(await complaintHere(1, check(url), wrong)).to.match(/answers 401/);
    }
  });

  it('another program that answers, or never does, is one line', async () => {
    const other = createServer((request, response) => {
      if (request.headers.authorization === undefined) response.end('<html>');
    });
    await listen(other, '127.0.0.1', 0);
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const [html, silence] = await Promise.all([
      complaintHere(1, check(url)),
      complaintHere(1, check(url), KEYS[0], 200),
    ]);
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
    expect(html).to.match(/answers 200: another program than GSLS listens there$/);
    expect(silence).to.match(/does not answer: no answer within 0\.2 s$/);
  });

  it('a closed port is one line', async () => {
    const closed = check(`http://127.0.0.1:${await freePort()}`);
    expect(await complaintHere(1, closed)).to.match(/does not answer: ECONNREFUSED/);
  });
});
