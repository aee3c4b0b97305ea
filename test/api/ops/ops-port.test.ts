/** The operations port: what it serves, to which key, and what the public port then does not serve. */

import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Service } from '../../../src/service/service.ts';
import { ask, expectError } from '../../support/ask.ts';
import { freePort } from '../../support/free-port.ts';
import { startTestService, TEST_VERSION } from '../../support/start-test-service.ts';
import { useDirectory } from '../../support/use-directory.ts';

const KEYED = { headers: { Authorization: 'Bearer secret' } };
const ADMIN = { headers: { Authorization: 'Bearer boss' } };
const OPEN = ['/livez', '/readyz'];
const FOR_THE_KEY = ['/metrics', '/debug/config'];
const FOR_ADMINS = ['/admin/bans', '/admin/audit', '/admin/servers'];

describe('the operations port', () => {
  let service: Service;
  let ops: { readonly url: string };
  const newPath = useDirectory();
  before(async () => {
    service = await startTestService({ GSLS_OPS_PORT: '0', GSLS_KEY: 'secret', GSLS_ADMIN_KEY: 'boss' });
    ops = { url: service.opsUrl! };
  });
  after(() => service.close());

  it('serves the probes without a key, the metrics and the configuration to the key, /admin to the admin key', async () => {
    for (const path of OPEN) {
      expect((await ask(ops, `GET ${path}`)).status).to.equal(200);
      expect((await ask(ops, `GET ${path}`, { headers: { Authorization: 'wrong' } })).status).to.equal(200);
    }
    for (const path of FOR_THE_KEY) {
      expectError(await ask(ops, `GET ${path}`), 'unauthorized');
      expectError(await ask(ops, `GET ${path}`, ADMIN), 'not_allowed');
      expect((await ask(ops, `GET ${path}`, KEYED)).status).to.equal(200);
    }
    for (const path of FOR_ADMINS) {
      expectError(await ask(ops, `GET ${path}`), 'unauthorized');
      expectError(await ask(ops, `GET ${path}`, KEYED), 'not_allowed');
      expect((await ask(ops, `GET ${path}`, ADMIN)).status).to.equal(200);
    }
  });

  it('serves nothing else, and tells which paths it has, but for /admin', async () => {
    for (const path of ['/', '/health', '/servers', '/ping', '/livez/', '/debug', '/nowhere']) {
      const answer = await ask(ops, `GET ${path}`, KEYED);
      expectError(answer, 'not_found');
      expect(answer.body.error).to.match(
        /: try \/metrics, \/livez, \/readyz, \/debug\/config, \/desk, \/desk\/\{file\}$/,
      );
      expectError(await ask(ops, `GET ${path}`), 'unauthorized');
    }
  });

  it('takes its paths from the public port', async () => {
    for (const path of [...OPEN, ...FOR_THE_KEY, ...FOR_ADMINS]) {
      expectError(await ask(service, `GET ${path}`, KEYED), 'not_found');
      expectError(await ask(service, `GET ${path}`, ADMIN), 'not_found');
      expectError(await ask(service, `GET ${path}`), 'unauthorized');
    }
    expect((await ask(service, 'GET /health', KEYED)).status).to.equal(200);
  });

  it('answers with the headers and the refusals of the public port', async () => {
    for (const path of OPEN) {
      const { headers, text } = await ask(ops, `HEAD ${path}`);
      expect(headers['cache-control']).to.equal('no-store');
      expect(headers['content-type']).to.equal('application/json; charset=utf-8');
      expect(headers['x-content-type-options']).to.equal('nosniff');
      expect(headers).to.not.have.property('access-control-allow-origin');
      expect(text).to.equal('');
      const wrong = await ask(ops, `POST ${path}`, { body: {} });
      expectError(wrong, 'method_not_allowed');
      expect(wrong.headers.allow).to.equal('GET, HEAD, OPTIONS');
      expectError(await ask(ops, `GET ${path}`, { headers: { Host: 'a b' } }), 'invalid_request');
    }
  });

  it('answers probes without a status', async () => {
    expect((await ask(ops, 'GET /livez')).text).to.equal('{"alive":true}');
    expect((await ask(ops, 'GET /readyz')).text).to.equal('{"ready":true}');
  });

  it('tells the configuration in force, secrets by their number, and what runs', async () => {
    const { body } = await ask(ops, 'GET /debug/config', KEYED);
    const { options, ...about } = body as unknown as {
      options: { flag: string; value: unknown; from: string; count?: number }[];
      started_at: string;
    };
    const row = (flag: string) => options.find((each) => each.flag === flag);
    expect(row('--key')).to.include({ value: '(hidden)', from: 'variable', count: 1 });
    expect(row('--admin-key')).to.include({ value: '(hidden)', from: 'variable', count: 1 });
    expect(row('--host')).to.include({ value: '127.0.0.1', from: 'variable' });
    expect(row('--ttl')).to.include({ value: 60, from: 'default' });
    expect(about).to.include({ version: TEST_VERSION, node: process.versions.node });
    expect(Date.parse(about.started_at)).to.be.closeTo(Date.now(), 60_000);
  });

  it('counts the keys anew when their file has changed', async () => {
    const path = newPath();
    await writeFile(path, 'one');
    const reloading = await startTestService({ GSLS_OPS_PORT: '0', GSLS_KEY_FILE: path });
    try {
      const rowOf = async (key: string) => {
        const headers = { Authorization: key };
        const { text } = await ask({ url: reloading.opsUrl! }, 'GET /debug/config', { headers });
        const { options } = JSON.parse(text) as { options: { flag: string }[] };
        return options.find(({ flag }) => flag === '--key');
      };
      expect(await rowOf('one')).to.include({ from: 'file', count: 1 });
      await writeFile(path, 'one\ntwo');
      await reloading.reload();
      expect(await rowOf('two')).to.include({ from: 'file', count: 2 });
    } finally {
      await reloading.close();
    }
  });

  it('leaves the public port as it was where there is none', async () => {
    const plain = await startTestService({ GSLS_ADMIN_KEY: 'boss' });
    try {
      expect(plain.opsUrl).to.equal(undefined);
      expect((await ask(plain, 'GET /metrics')).status).to.equal(200);
      expect((await ask(plain, 'GET /admin/bans', ADMIN)).status).to.equal(200);
      for (const path of [...OPEN, '/debug/config'])
        expectError(await ask(plain, `GET ${path}`), 'not_found');
    } finally {
      await plain.close();
    }
  });

  it('stays up while the replica drains, says that it is stopping, and is closed with it', async () => {
    const draining = await startTestService({ GSLS_OPS_PORT: '0' });
    const own = { url: draining.opsUrl! };
    void draining.close({ delayMs: 600_000 });
    const { status, body } = await ask(own, 'GET /readyz');
    expect([status, body]).to.deep.equal([
      503,
      { ready: false, reason: 'stopping', message: 'this replica is about to stop' },
    ]);
    expect((await ask(own, 'HEAD /readyz')).status).to.equal(503);
    expect((await ask(own, 'GET /livez')).status).to.equal(200);
    expect((await ask(own, 'GET /metrics')).status).to.equal(200);
    await draining.close();
    const error = await ask(own, 'GET /livez').catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 'ECONNREFUSED');
  });

  it('that cannot listen keeps the public port closed, and the other way round', async () => {
    const taken = new URL(service.opsUrl!).port;
    const free = String(await freePort());
    for (const [GSLS_PORT, GSLS_OPS_PORT] of [
      [free, taken],
      [taken, free],
    ] as const) {
      const failure = await startTestService({ GSLS_PORT, GSLS_OPS_PORT }).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Error);
      const asked = await ask({ host: '127.0.0.1', port: Number(free) }, 'GET /').catch(
        (error: unknown) => error,
      );
      expect(asked).to.have.property('code', 'ECONNREFUSED');
    }
  });
});
