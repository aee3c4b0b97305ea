/** The packages for npm at a registry of one's own: published, found by the tools of others, and installed from it. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { publint } from 'publint';
import { ask } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { LogRecord, type LogLine } from '../support/log-record.ts';
import { needs } from '../support/needs.ts';
import { useDirectory } from '../support/use-directory.ts';
import { useService } from '../support/use-service.ts';
import { madeFile, VERSION } from './support/made-release.ts';
import { startRegistry, type Registry } from './support/registry.ts';

const run = promisify(execFile);
const PACKAGES = ['game-server-listing-service', 'gsls-client', 'com.gsls.client'];

/** What is used of are-the-types-wrong. */
interface Core {
  readonly checkPackage: (types: unknown) => Promise<{ readonly problems?: readonly Problem[] }>;
  readonly createPackageFromTarballData: (tarball: Uint8Array) => unknown;
}
interface Problem {
  readonly kind: string;
  readonly resolutionKind?: string;
}

needs('npm').describe('a registry of packages for npm', () => {
  const newPath = useDirectory();
  const service = useService();
  let registry: Registry;
  before(async () => {
    registry = await startRegistry(newPath());
    for (const name of PACKAGES) await registry.npm(['publish', madeFile(`${name}-VERSION.tgz`)], newHome());
  });
  after(() => registry.close());

  /** A new folder of somebody who has nothing yet. */
  function newHome(): string {
    const home = newPath();
    mkdirSync(home);
    return home;
  }

  for (const name of PACKAGES)
    it(`takes ${name}, and gives it as it was made`, async () => {
      const home = newHome();
      await registry.npm(['pack', name], home);
      const made = madeFile(`${name}-VERSION.tgz`);
      expect(readFileSync(join(home, `${name}-${VERSION}.tgz`)).equals(readFileSync(made))).to.equal(true);
    });

  it('has the program for npx by the name of its package', async () => {
    const printed = await registry.npm(
      ['--yes', 'game-server-listing-service', '--version'],
      newHome(),
      'npx',
    );
    expect(printed).to.equal(`${VERSION}\n`);
  });

  it('has the program for an installation, and that lists what is broadcast', async () => {
    const home = newHome();
    await registry.npm(['install', '--global', '--prefix', home, 'game-server-listing-service'], home);
    const gsls = join(home, 'bin/gsls');
    const { stdout } = await run(gsls, ['--version'], { cwd: home });
    expect(stdout).to.equal(`${VERSION}\n`);

    // A variable that begins so is an option of the service.
    const others = Object.entries(process.env).filter(([name]) => !name.startsWith('GSLS_'));
    const env = Object.fromEntries(others);
    const program = spawn(gsls, ['--host', '127.0.0.1', '--port', '0'], { cwd: home, env });
    const exit = once(program, 'exit');
    const log = new LogRecord();
    createInterface({ input: program.stdout }).on('line', (line) => log.push(JSON.parse(line) as LogLine));
    program.once('exit', (code) => log.end(`exit code ${code}`));
    const url = (await log.logged('listening on')).url!;
    expect(
      (await ask({ url }, 'POST /broadcast', { body: aBroadcast({ server_name: 'A' }) })).status,
    ).to.equal(200);
    expect((await ask({ url }, 'GET /')).body.servers!.map(({ name }) => name)).to.deep.equal(['A']);
    program.kill('SIGTERM');
    expect(await exit).to.deep.equal([0, null]);
  });

  it('has gsls-client for a program that announces and lists', async () => {
    const home = newHome();
    writeFileSync(join(home, 'package.json'), '{"private":true,"type":"module"}');
    await registry.npm(['install', 'gsls-client'], home);
    writeFileSync(
      join(home, 'game.js'),
      `import { announce, list } from 'gsls-client';
const game = { server_host: 'eu1.example.com', server_name: 'B', server_port: 7777, players: 3, max_players: 16 };
const announcement = announce('${service.url}', game);
let servers = [];
while (servers.length === 0) ({ servers } = await list('${service.url}'));
console.log(servers[0].name, announcement.state);
await announcement.stop();
`,
    );
    const { stdout } = await run(process.execPath, ['game.js'], { cwd: home });
    expect(stdout).to.match(/^B (starting|listed)\n$/);
    expect((await ask(service, 'GET /')).body.servers).to.deep.equal([]);
  });

  for (const name of ['game-server-listing-service', 'gsls-client'])
    it(`has ${name}, of which publint finds nothing to say`, async () => {
      const tarball = Uint8Array.from(readFileSync(madeFile(`${name}-VERSION.tgz`))).buffer;
      const { messages } = await publint({ strict: true, level: 'suggestion', pack: { tarball } });
      expect(messages).to.deep.equal([]);
    });

  it('has gsls-client, of which TypeScript finds the types wherever there are ES modules', async () => {
    const path = join(registry.tools, '@arethetypeswrong/core/dist/index.js');
    const { checkPackage, createPackageFromTarballData } = (await import(pathToFileURL(path).href)) as Core;
    const types = createPackageFromTarballData(readFileSync(madeFile('gsls-client-VERSION.tgz')));
    const { problems } = await checkPackage(types);
    // Whoever calls require() has none of them: the package has ES modules alone.
    const others = ['node10', 'node16-cjs'];
    expect(problems!.filter(({ resolutionKind }) => !others.includes(resolutionKind!))).to.deep.equal([]);
  });
});
