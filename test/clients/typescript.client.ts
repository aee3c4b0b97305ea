/** gsls-client: what the kit says of it, and what npm packs of it. test/page/browser has it in a page. */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { publint } from 'publint';
import { ask } from '../support/ask.ts';
import { codeOf, readDocument } from '../support/markdown.ts';
import { needs } from '../support/needs.ts';
import { ROOT } from '../support/program.ts';
import { useService } from '../support/use-service.ts';
import { judgeClient } from './support/judge-client.ts';
import { buildPackage, bundleFor, TYPESCRIPT } from './support/typescript.ts';

const MOST_BYTES = 6500;
const run = promisify(execFile);

judgeClient(TYPESCRIPT);

needs('npm').describe('the package gsls-client', function () {
  this.timeout(120_000);
  const service = useService();
  let packed: string;
  /** Of a user, who has installed it and nothing else. */
  let home: string;

  before(async () => {
    packed = mkdtempSync(join(tmpdir(), 'gsls-packed-'));
    home = mkdtempSync(join(tmpdir(), 'gsls-home-'));
    await buildPackage(packed);
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', home], { cwd: packed });
    writeFileSync(join(home, 'package.json'), '{"private":true,"type":"module"}');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', './gsls-client-1.0.0.tgz'], {
      cwd: home,
    });
  });
  after(() => {
    for (const folder of [packed, home]) rmSync(folder, { recursive: true, force: true });
  });

  it('is what publint wants of a package', async () => {
    const { messages } = await publint({ pkgDir: packed, strict: true, level: 'suggestion', pack: false });
    expect(messages).to.deep.equal([]);
  });

  it('installs nothing but itself: its modules, its types, its licence and a page to read', () => {
    const folder = join(home, 'node_modules');
    expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).to.deep.equal(['gsls-client']);
    expect(readdirSync(join(folder, 'gsls-client'))).to.have.members([
      'LICENSE',
      'README.md',
      'dist',
      'package.json',
    ]);
    const files = readdirSync(join(folder, 'gsls-client/dist'));
    expect(files.filter((name) => !/\.d\.ts$|^(?:index|read|shared-\w+)\.js$/.test(name))).to.deep.equal([]);
  });

  it('runs the program of its README', async () => {
    const [program] = codeOf(readDocument('clients/typescript/README.md')).filter(
      ({ language }) => language === 'js',
    );
    const text = program!.text.replace('http://localhost:53600', service.url);
    expect(text).to.include(service.url);
    expect(text.trim().split('\n')).to.have.length.below(15);
    writeFileSync(join(home, 'readme.js'), text);
    const { stdout } = await run(process.execPath, ['readme.js'], { cwd: home });
    expect(stdout).to.include("[ 'Frankfurt 1' ]").and.to.include("host: 'eu1.example.com'");
    expect((await ask(service, 'GET /')).body.servers).to.deep.equal([]);
  });

  for (const [compiler, module, moduleResolution] of [
    ['typescript', 'esnext', 'bundler'],
    ['typescript', 'nodenext', 'nodenext'],
    ['typescript-5', 'nodenext', 'nodenext'],
  ] as const)
    it(`has types that ${compiler} takes as they are, by ${moduleResolution}`, async () => {
      const folder = join(home, `${compiler}-${moduleResolution}`);
      mkdirSync(folder);
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({
          compilerOptions: {
            target: 'es2022',
            lib: ['es2022', 'dom', 'esnext.asynciterable'],
            types: [],
            module,
            moduleResolution,
            strict: true,
            exactOptionalPropertyTypes: true,
            noEmit: true,
          },
        }),
      );
      writeFileSync(
        join(folder, 'user.ts'),
        `
import { announce, type Announcement, ServiceError } from 'gsls-client';
import { find, type GameServer, list, report, type ServerList, watch } from 'gsls-client/read';
const announcement: Announcement = announce('http://a.example', { server_host: 'a', server_name: 'b', server_port: 1, server_ip: 'auto', players: 3, max_players: 16 }, { tokenFile: 'a', log: console.log });
announcement.update({ players: 4, map: undefined });
export const state: 'starting' | 'listed' | 'failing' | 'stopped' = announcement.state;
const previous: ServerList = await list('http://a.example');
const { servers } = await list(new URL('http://a.example'), { previous, timeoutMs: 100 });
export const players: number | undefined = servers[0]?.players;
for await (const { changed, removed } of watch('http://a.example', 'region=eu', { signal: new AbortController().signal }))
  export_(changed, removed);
function export_(changed: readonly GameServer[], removed: readonly string[]): void {
  console.log(changed[0]?.map?.length, changed[0]?.labels?.includes('verified'), removed);
}
try {
  await find('http://a.example', 'limit=3');
  await report('http://a.example', 'a', 'cheating', { note: 'aims too well', timeoutMs: 100 });
} catch (error) {
  if (error instanceof ServiceError) console.log(error.code, error.retryAfterMs);
}
// @ts-expect-error: a name is missing
announce('http://a.example', { server_port: 1 });
// @ts-expect-error: no number
announcement.update({ players: '4' });
`,
      );
      const tsc = join(ROOT, 'node_modules', compiler, 'bin/tsc');
      const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch(
        (error: object) => error as never,
      );
      expect(stdout).to.equal('');
    });

  it(`is of at most ${MOST_BYTES} bytes where the list is read alone, bundled and compressed`, async () => {
    for (const program of [
      "export { find, list, watch, ServiceError } from 'gsls-client/read';",
      "export { find, list, watch, ServiceError } from 'gsls-client';",
    ]) {
      const [first, ...others] = await bundleFor(program, home, true);
      expect(gzipSync(first!).length).to.be.at.most(MOST_BYTES);
      expect(first).to.not.match(/\bfrom ?"\.\//);
      expect(others.join('')).to.include('readFileSync');
      expect(first).to.not.include('readFileSync');
    }
  });
});
