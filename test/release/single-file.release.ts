/** The program as one file, on a Linux that has the libraries it needs and nothing else. */

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { aBroadcast } from '../support/builders.ts';
import { ask } from '../support/ask.ts';
import { freePort } from '../support/free-port.ts';
import { needs } from '../support/needs.ts';
import { endProcesses, startProgram, type RunningProcess } from '../support/processes.ts';
import { startRedisServer } from '../support/redis-server.ts';
import { until } from '../support/until.ts';
import { INSTALL_COMMANDS } from './support/install-commands.ts';
import { madeFile, VERSION } from './support/made-release.ts';
import { unpackImage } from './support/unpacked-image.ts';

needs('Linux', 'chroot').describe('the program as one file', () => {
  let folder: string;
  let root: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gsls-single-'));
    root = join(folder, 'empty');
    mkdirSync(root);
    const image = unpackImage('amd64', join(folder, 'image'));
    for (const name of ['lib', 'lib64', 'usr/lib'])
      cpSync(join(image.root, name), join(root, name), { recursive: true, verbatimSymlinks: true });
    // That of docs/install.md unpacks it, and starts it.
    cpSync(madeFile('gsls-VERSION-linux-x64.tar.xz'), join(root, `gsls-${VERSION}-linux-x64.tar.xz`));
    const command = `${INSTALL_COMMANDS.get('tar')!} --version`;
    const said = execFileSync('sh', ['-c', command], { cwd: root, encoding: 'utf8' });
    expect(said.trim()).to.equal(VERSION);
  });
  afterEach(endProcesses);
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function start(...args: readonly string[]): Promise<RunningProcess> {
    const service = startProgram('chroot', [root, '/gsls', ...args]);
    await until(() => service.lines.some((line) => line.includes('listening on')), service);
    return service;
  }

  it('says its version', () => {
    const said = execFileSync('chroot', [root, '/gsls', '--version'], { encoding: 'utf8' });
    expect(said.trim()).to.equal(VERSION);
  });

  it('lists a game server, shows the page and the API, and stops at once', async () => {
    const port = await freePort();
    const service = await start('--port', String(port));
    const address = { host: '127.0.0.1', port };
    expect((await ask(address, 'POST /broadcast', { body: aBroadcast() })).status).to.equal(200);
    expect((await ask(address, 'GET /')).body.count).to.equal(1);
    for (const path of ['/browse', '/docs', '/openapi.json'])
      expect((await ask(address, `GET ${path}`)).status, path).to.equal(200);
    const [, script] = /src="\.(\/[^"]+\.js)"/.exec((await ask(address, 'GET /browse')).text)!;
    expect((await ask(address, `GET ${script!}`)).status).to.equal(200);
    expect(await service.stop('SIGINT')).to.equal(0);
  });

  needs('redis-server').it('starts workers that share a registry in Redis', async () => {
    const redis = await startRedisServer();
    const port = await freePort();
    const service = await start('--port', String(port), '--workers', '2', '--redis', redis.url);
    const address = { host: '127.0.0.1', port };
    expect((await ask(address, 'POST /broadcast', { body: aBroadcast() })).status).to.equal(200);
    for (let count = 0; count < 4; count += 1) expect((await ask(address, 'GET /')).body.count).to.equal(1);
    expect(await service.stop('SIGINT')).to.equal(0);
    await redis.stop();
  });

  it('refuses an unknown option in one line', () => {
    const { status, stderr } = spawnSync('chroot', [root, '/gsls', '--bad'], { encoding: 'utf8' });
    expect([status, stderr]).to.deep.equal([2, 'gsls: unknown option --bad; see gsls --help\n']);
  });
});
