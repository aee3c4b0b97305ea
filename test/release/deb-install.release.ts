/** The Debian package in a fresh Debian: installed, at work, upgraded, removed and purged. No systemd runs in there. */

import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { aBroadcast } from '../support/builders.ts';
import { freePort } from '../support/free-port.ts';
import { needs } from '../support/needs.ts';
import { endProcesses, startProgram, type RunningProcess } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { useDirectory } from '../support/use-directory.ts';
import { INSTALL_COMMANDS } from './support/install-commands.ts';
import { madeFile, VERSION } from './support/made-release.ts';

const CONFIG = 'etc/gsls/gsls.yaml';
const UNIT = 'lib/systemd/system/gsls.service';
const NEXT_VERSION = `${VERSION}+next`;

const ENVIRONMENT = {
  PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
  DEBIAN_FRONTEND: 'noninteractive',
  LC_ALL: 'C.UTF-8',
};

needs('debootstrap', 'dpkg-deb', 'Linux').describe('the Debian package in a fresh Debian', () => {
  const newPath = useDirectory();
  let root = '';
  const inside = (path: string): string => join(root, path);
  const runInside = (...words: readonly string[]): string =>
    execFileSync('chroot', [root, ...words], {
      env: ENVIRONMENT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  before(async () => {
    root = newPath();
    const release = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync('/etc/os-release', 'utf8'))![1]!;
    const which = ['indextargets', '--format', '$(SITE)', 'Created-By: Packages', `Codename: ${release}`];
    const mirrors = execFileSync('apt-get', [...which, 'Component: main']).toString();
    const words = ['--variant=minbase', release, root, mirrors.split('\n', 1)[0]!];
    await promisify(execFile)('debootstrap', words, { maxBuffer: Infinity });
    cpSync(madeFile('gsls_VERSION_amd64.deb'), inside(`gsls_${VERSION}_amd64.deb`));
    runInside('sh', '-c', `cd / && ${INSTALL_COMMANDS.get('apt')!} --yes`);
  });

  after(endProcesses);

  /** Starts what the unit starts, as its user, with its variables. Resolves once it listens. */
  async function start(): Promise<RunningProcess & { readonly url: string }> {
    const unit = readFileSync(inside(UNIT), 'utf8');
    const [, command] = /^ExecStart=(.*)$/m.exec(unit)!;
    const variables = [...unit.matchAll(/^Environment=(.*)$/gm)].map(([, variable]) => variable!);
    const port = await freePort();
    const words = [`--userspec=gsls:gsls`, root, 'env', ...variables, `GSLS_PORT=${port}`, command!];
    const started = startProgram('chroot', words);
    await until(() => started.lines.some((line) => line.includes('listening on')), started);
    return Object.assign(started, { url: `http://127.0.0.1:${port}` });
  }

  it('makes a user, who alone reads the secrets and writes the list', () => {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(runInside('id', flag, 'gsls')));
    const ofConfig = statSync(inside('etc/gsls'));
    expect([ofConfig.uid, ofConfig.gid, ofConfig.mode & 0o777]).to.deep.equal([0, gid, 0o750]);
    const ofList = statSync(inside('var/lib/gsls'));
    expect([ofList.uid, ofList.gid, ofList.mode & 0o777]).to.deep.equal([uid, gid, 0o700]);
  });

  it('has the program in the path of everybody', () => {
    expect(runInside('gsls', '--version')).to.equal(`${VERSION}\n`);
  });

  it('has its unit started with the system', () => {
    expect(readlinkSync(inside('etc/systemd/system/multi-user.target.wants/gsls.service'))).to.equal(
      `/${UNIT}`,
    );
  });

  needs('systemd-analyze').it('has a unit in which nothing is unknown', () => {
    cpSync('/lib/systemd/system', inside('lib/systemd/system'), { recursive: true });
    const words = ['verify', '--man=no', `--root=${root}`, 'gsls.service'];
    const { status, stdout, stderr } = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
    expect({ status, stdout, stderr }).to.deep.equal({ status: 0, stdout: '', stderr: '' });
  });

  it('lists game servers as it is installed, and keeps them through a restart', async () => {
    const first = await start();
    await fetch(`${first.url}/broadcast`, { method: 'POST', body: JSON.stringify(aBroadcast()) });
    first.signal('SIGHUP');
    await until(() => first.lines.some((line) => line.includes('the configuration was read again')), first);
    expect(await first.stop('SIGTERM')).to.equal(0);

    const second = await start();
    expect(await (await fetch(second.url)).text()).to.include('"name":"A server"');
    expect(await second.stop('SIGTERM')).to.equal(0);
  });

  it('keeps a changed configuration in an upgrade', () => {
    const next = newPath();
    execFileSync('dpkg-deb', ['--raw-extract', madeFile('gsls_VERSION_amd64.deb'), next]);
    const control = readFileSync(join(next, 'DEBIAN/control'), 'utf8');
    writeFileSync(
      join(next, 'DEBIAN/control'),
      control.replace(/^Version: .*$/m, `Version: ${NEXT_VERSION}`),
    );
    appendFileSync(join(next, CONFIG), '# The next version says more.\n');
    execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', next, inside('next.deb')]);
    appendFileSync(inside(CONFIG), 'max-servers: 77\n');

    runInside('dpkg', '--force-confold', '--install', '/next.deb');
    expect(runInside('dpkg-query', '--show', '--showformat=${Version}', 'gsls')).to.equal(NEXT_VERSION);
    expect(readFileSync(inside(CONFIG), 'utf8')).to.match(/max-servers: 77\n$/);
    expect(statSync(inside('etc/gsls')).mode & 0o777).to.equal(0o750);
    expect(runInside('gsls', 'check', '--config', `/${CONFIG}`)).to.include('77');
  });

  it('leaves configuration and list when it is removed, and nothing when it is purged', () => {
    runInside('dpkg', '--remove', 'gsls');
    expect(existsSync(inside('usr/lib/gsls'))).to.equal(false);
    expect(existsSync(inside(CONFIG))).to.equal(true);
    expect(existsSync(inside('var/lib/gsls/registry'))).to.equal(true);

    writeFileSync(inside('etc/gsls/keys'), 'secret\n');
    runInside('dpkg', '--purge', 'gsls');
    for (const name of [`gsls_${VERSION}_amd64.deb`, 'next.deb']) rmSync(inside(name));
    expect(runInside('find', '/', '-xdev', '-name', '*gsls*')).to.equal('');
  });
});
