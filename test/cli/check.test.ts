/** `gsls check` and `gsls key new`, as an operator uses them. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { sha256Of } from '../../src/api/http/key-ring.ts';
import { check, type CheckFlags, type CheckOutcome } from '../../src/service/commands/check.ts';
import { loadDeployment } from '../../src/service/deployment/deployment.ts';
import { ReadFiles } from '../../src/service/deployment/read-files.ts';
import { UsageError } from '../../src/runtime/usage-error.ts';
import { useDirectory } from '../support/use-directory.ts';
import { runHere } from './run-here.ts';

describe('gsls check', () => {
  const newPath = useDirectory();

  function fileWith(yaml: string): string {
    const path = newPath();
    writeFileSync(path, yaml);
    return path;
  }

  function checked(yaml: string, flags: CheckFlags = {}): Promise<CheckOutcome> {
    const sources = { flags: { config: [fileWith(yaml)] }, environment: {}, readFile: new ReadFiles().read };
    return check(() => loadDeployment(sources), flags);
  }

  it('prints what would be served, and where each value comes from, without keys', async () => {
    const folder = newPath();
    mkdirSync(folder);
    writeFileSync(join(folder, 'launcher'), 'the secret text of the launcher');
    const path = fileWith(`
      key: [a secret key]
      registries:
        racer: { hosts: [racer.example], max-servers: 5 }
        shooter: { public-read: true }
      keys: [{ name: launcher, file: ${join(folder, 'launcher')}, may: [read], until: 2027-01-01 }]
    `);
    const text = await runHere(['--config', path, 'check'], { GSLS_PORT: '8080' });
    expect(text).to.not.include('secret');
    expect(text.split('\n')).to.include.members([
      'serves 2 registries at port 8080, in memory',
      '  port = 8080 (variable)',
      'registry racer at racer.example, with keys',
      '  max-servers = 5 (file)',
      'registry shooter at /shooter/, writing needs a key',
      'key launcher: read, until 2027-01-01T00:00:00.000Z',
    ]);
    const told = JSON.parse(await runHere(['--config', path, 'check', '--json'])) as { registries: object[] };
    expect(told.registries[0]).to.deep.include({ name: 'racer', hosts: ['racer.example'] });
  });

  it('ends with 2 and all that is wrong, and with 1 where Redis is not reached', async () => {
    const wrong = await checked('port: many\nttl: long\nregistries: { a: { path: x, ttl: short } }');
    expect(wrong.code).to.equal(2);
    expect(wrong.text.trim().split('\n')).to.have.lengthOf(4);
    const json = await checked('port: many', { json: true });
    expect(JSON.parse(json.text)).to.have.property('problems').with.lengthOf(1);
    const away = await checked('redis: redis://127.0.0.1:1', { connect: true });
    expect([away.code, away.text]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && text.includes('is not reached'),
    );
    expect((await checked('redis: redis://127.0.0.1:1')).code).to.equal(0);
  });
});

describe('gsls check of what is right', () => {
  const newPath = useDirectory();

  it('needs no Redis where the registries are in memory, and names each place and key', async () => {
    const path = newPath();
    writeFileSync(
      path,
      `registry-index: true
registries: { racer: { path: /cars, hosts: [racer.example] } }
keys: [{ name: ada, sha256: ${sha256Of('the key of ada')}, may: [moderate], registries: [racer] }]`,
    );
    const args = ['--config', path, 'check', '--connect'];
    const text = await runHere(args);
    expect(text).to.include('registry racer at /cars/ and racer.example, with keys');
    expect(text).to.include('key ada: moderate in racer\n').and.to.not.include('Redis is reached');
    expect(JSON.parse(await runHere([...args, '--json']))).to.deep.include({
      keys: [{ name: 'ada', may: ['moderate'], registries: ['racer'] }],
      warnings: [],
    });
  });
});

describe('gsls key new', () => {
  it('prints a key, and the line of the file that lets it in', async () => {
    const args = ['--name', 'racer servers', '--may', 'announce,read', '--registries', 'racer'];
    const [key, , , , line] = (await runHere(['key', 'new', ...args])).split('\n');
    expect(key).to.match(/^gsls_[\w-]{43}$/);
    expect(line)
      .to.include(`sha256: ${sha256Of(key!)}`)
      .and.to.include('name: racer servers');
    const other = JSON.parse(await runHere(['key', 'new', ...args, '--json'])) as { key: string };
    expect(other.key).to.not.equal(key);
  });

  it('refuses what the file would refuse', async () => {
    for (const args of [
      ['--name', 'x', '--may', 'reed'],
      ['--name', 'a:b', '--may', 'read'],
      ['--name', 'x', '--may', 'read', '--until', 'soon'],
      ['--name', 'x'],
    ]) {
      const error: unknown = await runHere(['key', 'new', ...args]).catch((reason: unknown) => reason);
      expect(error, args.join(' ')).to.be.instanceOf(UsageError);
      expect((error as Error).message)
        .to.match(/^[^\n]+$/)
        .and.to.not.include('the key:');
    }
  });
});
