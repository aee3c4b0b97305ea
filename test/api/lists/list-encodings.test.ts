import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { CurrentList } from '../../../src/api/http/current-list.ts';
import { chooseEncoding } from '../../../src/api/http/negotiation.ts';
import { createList } from '../../../src/api/lists/list.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import type { Service } from '../../../src/service/service.ts';
import { ask, expectError } from '../../support/ask.ts';
import { aBroadcast, aGameServer } from '../../support/builders.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { until } from '../../support/until.ts';
import { startTestService } from '../../support/start-test-service.ts';

describe('the encoding of the list', () => {
  const table: [header: string, chosen: string | undefined][] = [
    ['gzip, deflate, br', 'gzip'],
    ['br', 'br'],
    ['BR;Q=1.0, gzip;q=0.5', 'br'],
    ['gzip;q=0.001', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0, *', 'br'],
    ['*', 'gzip'],
    ['*;q=0', undefined],
    ['*;q=0, identity', 'identity'],
    ['identity;q=0', undefined],
    ['identity;q=0, br;q=0.1', 'br'],
    ['identity, gzip;q=0.9', 'identity'],
    ['deflate, zstd', 'identity'],
    ['x-gzip', 'gzip'],
    ['', 'identity'],
    ['gzip;q=nonsense', 'identity'],
    [';;,,=;q=', 'identity'],
  ];
  for (const [header, chosen] of table) {
    it(`is ${chosen ?? 'refused'} for "${header}"`, () => {
      expect(chooseEncoding(header, ['gzip', 'br'])).to.equal(chosen);
    });
  }

  let service: Service;
  before(async () => {
    service = await startTestService();
    for (let i = 0; i < 100; i += 1) {
      await ask(service, 'POST /broadcast', { body: aBroadcast({ server_port: i + 1 }) });
    }
  });
  after(() => service.close());

  it('does not change the content of the list', async () => {
    const plain = await ask(service, 'GET /');
    const gzip = await ask(service, 'GET /', { headers: { 'Accept-Encoding': 'gzip' } });
    // Brotli is made once the list is at rest.
    let br = plain;
    await until(async () => {
      br = await ask(service, 'GET /', { headers: { 'Accept-Encoding': 'br' } });
      return br.headers['content-encoding'] !== undefined;
    });
    expect(plain.headers).to.not.have.property('content-encoding');
    expect(gzip.headers['content-encoding']).to.equal('gzip');
    expect(br.headers['content-encoding']).to.equal('br');
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).to.equal(true);
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).to.equal(true);
    for (const { headers, bytes } of [plain, gzip, br]) {
      expect(headers.vary).to.equal('Accept-Encoding');
      expect(headers['content-length']).to.equal(String(bytes.length));
      expect(headers['content-type']).to.equal('application/json; charset=utf-8');
    }
    expect(new Set([plain, gzip, br].map(({ headers }) => headers.etag)).size).to.equal(3);
  });

  for (const encoding of ['gzip', 'identity'])
    it(`is made once for all that wait for a new list together: ${encoding}`, async () => {
      const registry = new MemoryRegistry({ lifetime, uniqueAddress: false });
      const now = Date.now;
      const currentList = new CurrentList({
        registry,
        maxStaleMs: 1000,
        listMaxAgeMs: 0,
        isPrivate: false,
        now,
      });
      const list = createList({ currentList, now });
      const request = {
        headers: { 'accept-encoding': encoding },
        fields: undefined,
        query: '',
        client: { address: '203.0.113.7' },
      } as const;
      for (const id of ['one', 'another']) {
        await registry.broadcast(id, aGameServer());
        const answers = await Promise.all(Array.from({ length: 10 }, () => list(request)));
        expect(new Set(answers).size).to.equal(1);
      }
      await registry.close();
    });

  it('is the same for HEAD, which has no body', async () => {
    const headers = { 'Accept-Encoding': 'gzip' };
    const whole = await ask(service, 'GET /', { headers });
    const head = await ask(service, 'HEAD /', { headers });
    expect(head.bytes.length).to.equal(0);
    for (const name of ['content-length', 'content-encoding', 'etag', 'vary', 'cache-control'] as const) {
      expect(head.headers[name]).to.equal(whole.headers[name]);
    }
  });

  it('is plain JSON for the 406 of a client that refuses every encoding', async () => {
    const answer = await ask(service, 'GET /', { headers: { 'Accept-Encoding': 'identity;q=0' } });
    expectError(answer, 'not_acceptable');
    expect(answer.headers).to.not.have.property('content-encoding');
  });
});
