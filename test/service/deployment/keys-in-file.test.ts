/** Keys of the configuration file while a service runs: what they open and close, also after a change of the file. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { sha256Of } from '../../../src/api/http/key-ring.ts';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { useDirectory } from '../../support/use-directory.ts';

describe('the keys of a configuration file', () => {
  const newPath = useDirectory();
  let path: string;
  let service: Service;

  /** Writes the file with these lines of keys, each by a name that is its text. */
  function write(...keys: readonly string[]): void {
    const lines = keys.map(
      (key) =>
        `  - { name: ${key.split(',')[0]}, sha256: ${sha256Of(key.split(',')[0]!)},${key.slice(key.indexOf(',') + 1)} }`,
    );
    writeFileSync(
      path,
      `registries: { racer: { path: /racer }, shooter: { path: /shooter } }\nkeys:\n${lines.join('\n')}\n`,
    );
  }
  const statusOf = async (call: string, key?: string): Promise<number> =>
    (await ask(service, call, key === undefined ? {} : { headers: { Authorization: key } })).status;
  const schemesOf = async (registry: string): Promise<readonly string[]> => {
    const { text } = await ask(service, `GET /${registry}/openapi.json`, {
      headers: { Authorization: 'reader' },
    });
    const { components } = JSON.parse(text) as { components: { securitySchemes: object } };
    return Object.keys(components.securitySchemes);
  };

  beforeEach(() => {
    path = newPath();
  });
  afterEach(() => service.close());

  it('open what they may where they may, and the description of each registry says which it needs', async () => {
    write('reader, may: [read]', 'ada, may: [moderate], registries: [racer]');
    service = await startTestService({ GSLS_CONFIG: path });
    expect(await schemesOf('racer')).to.deep.equal(['bearer', 'basic', 'adminBearer', 'adminBasic']);
    expect(await schemesOf('shooter')).to.deep.equal(['bearer', 'basic']);
    expect(await statusOf('GET /racer/admin/bans', 'ada')).to.equal(200);
    expect(await statusOf('GET /racer/admin/bans', 'reader')).to.equal(403);
    expect(await statusOf('GET /shooter/admin/bans', 'reader')).to.equal(404);
    expect(await statusOf('GET /shooter/admin/bans', 'ada')).to.equal(403);
    expect(await statusOf('GET /shooter/', 'reader')).to.equal(200);
    expect(await statusOf('GET /shooter/')).to.equal(401);
  });

  it('open and close moderation at once when the file changes', async () => {
    const reader = 'reader, may: [read]';
    write(reader);
    service = await startTestService({ GSLS_CONFIG: path });
    expect(await statusOf('GET /racer/admin/bans', 'reader')).to.equal(404);
    write(reader, 'ada, may: [moderate], registries: [racer]');
    await service.reload();
    expect(await statusOf('GET /racer/admin/bans', 'ada')).to.equal(200);
    write(reader);
    await service.reload();
    expect(await statusOf('GET /racer/admin/bans', 'ada')).to.equal(401);
    expect(await statusOf('GET /racer/admin/bans', 'reader')).to.equal(404);
  });
});
