/** The image, as those load it who have a container engine, and what is in it. */

import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ask } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { freePort } from '../support/free-port.ts';
import { needs } from '../support/needs.ts';
import { endProcesses, startProgram, type RunningProcess } from '../support/processes.ts';
import { ROOT } from '../support/program.ts';
import { until } from '../support/until.ts';
import { useDirectory } from '../support/use-directory.ts';
import { INSTALL_COMMANDS } from './support/install-commands.ts';
import { madeFile, VERSION } from './support/made-release.ts';
import { unpackImage, type UnpackedImage } from './support/unpacked-image.ts';

const MOST_BYTES = 150_000_000;

function isProgram(path: string): boolean {
  return (statSync(path).mode & 0o111) !== 0 && !path.includes('/app/') && !/\.so[.\d]*$/.test(path);
}

async function expectItServes(port: number): Promise<void> {
  const service = { host: '127.0.0.1', port };
  expect((await ask(service, 'POST /broadcast', { body: aBroadcast() })).status).to.equal(200);
  expect((await ask(service, 'GET /')).body.count).to.equal(1);
}

for (const architecture of ['amd64', 'arm64'] as const)
  needs('Linux').describe(`the image for ${architecture}`, () => {
    const newPath = useDirectory();
    let image: UnpackedImage;
    before(() => {
      image = unpackImage(architecture, newPath());
    });

    it('has Node, its libraries and GSLS: no shell and no other program', () => {
      const programs = readdirSync(image.root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .filter(isProgram);
      expect(programs).to.deep.equal([join(image.root, 'usr/local/bin/node')]);
    });

    it(`takes ${MOST_BYTES / 1e6} MB at the most`, () => {
      const sizes = image.layers.map((layer) => statSync(layer).size);
      expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.at.most(MOST_BYTES);
    });

    it('runs as a user without rights, and has a health check', () => {
      const { config } = image.configuration;
      expect(image.configuration.architecture).to.equal(architecture);
      expect(config).to.include({ User: 'node', WorkingDir: '/app' });
      expect(config['Healthcheck']).to.deep.include({ Test: ['CMD', 'node', 'dist/cli.js', 'healthcheck'] });
    });

    it('says nothing of the machine that made it', () => {
      expect(image.configuration).not.to.have.any.keys('container', 'container_config', 'parent');
      expect(image.configuration.config).not.to.have.property('Hostname');
    });
  });

needs('qemu-aarch64-static').describe('the program in the image for arm64', () => {
  const newPath = useDirectory();
  after(endProcesses);

  it('lists a game server', async () => {
    const { root } = unpackImage('arm64', newPath());
    const port = await freePort();
    const node = join(root, 'usr/local/bin/node');
    const args = ['-L', root, node, join(root, 'app/dist/cli.js')];
    const service = startProgram('qemu-aarch64-static', args, { GSLS_PORT: String(port) });
    await until(() => service.lines.some((line) => line.includes('listening on')), service);
    await expectItServes(port);
    expect(await service.stop('SIGINT')).to.equal(0);
  });
});

needs('podman').describe('a container of the image', () => {
  const settings = '/etc/containers/containers.conf';
  const env = existsSync(settings) ? {} : { CONTAINERS_CONF: join(ROOT, '.ci/containers.conf') };
  let storage: string;
  const podman = async (...args: readonly string[]): Promise<string> => {
    const where = [`--root=${storage}/root`, `--runroot=${storage}/run`];
    const { stdout } = await promisify(execFile)('podman', [...where, ...args], {
      env: { ...process.env, ...env },
    });
    return stdout.trim();
  };
  /** The command of docs/install.md. Docker is not on the machines of the tests, and Podman takes the same words. */
  const [load, start] = INSTALL_COMMANDS.get('docker')!.split(' && ') as [string, string];
  const docker = (command: string): RunningProcess => {
    const variables = { PATH: `${storage}:${process.env['PATH']}`, ...env };
    return startProgram('sh', ['-c', command], variables, madeFile(''));
  };
  before(async () => {
    storage = mkdtempSync(join(tmpdir(), 'gsls-podman-'));
    const script = `#!/bin/sh\nexec podman --root=${storage}/root --runroot=${storage}/run "$@"\n`;
    writeFileSync(join(storage, 'docker'), script, { mode: 0o755 });
    const loading = docker(load);
    await until(() => loading.ended);
    expect(loading.lines.at(-1)).to.equal(`Loaded image: localhost/gsls:${VERSION}`);
  });
  after(async () => {
    await podman('rm', '--all', '--force', '--time=0');
    await podman('system', 'reset', '--force');
    // Podman leaves this one mounted.
    spawnSync('umount', [join(storage, 'root/overlay')]);
    rmSync(storage, { recursive: true, force: true });
  });

  it('serves without rights, with a file system that it cannot write, and stops at once', async () => {
    const port = await freePort();
    const rights = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges', '--network=host'];
    const image = `localhost/gsls:${VERSION}`;
    const id = await podman('run', '--detach', ...rights, `--env=GSLS_PORT=${port}`, image, '--ttl', '30');
    await until(async () => (await podman('logs', id)).includes('listening on'));
    await expectItServes(port);
    expect(await podman('exec', id, 'node', 'dist/cli.js', 'healthcheck')).to.include('healthy');
    expect(await podman('exec', id, 'node', '--print', 'process.getuid()')).to.equal('1000');
    await podman('stop', '--time=20', id);
    expect(await podman('inspect', '--format={{.State.ExitCode}}', id)).to.equal('0');
  });

  it('is run by the command of docs/install.md', async () => {
    const port = await freePort();
    const container = docker(start.replace('53600:', `${port}:`));
    await until(() => container.lines.some((line) => line.includes('listening on')), container);
    await expectItServes(port);
    await podman('stop', '--all', '--time=20');
    await until(() => container.ended);
  });

  it('keeps its list in a volume', async () => {
    const run = ['run', '--detach', '--read-only', '--network=host', '--volume=gsls:/data'];
    for (const isNew of [true, false]) {
      const port = await freePort();
      const options = [`--env=GSLS_PORT=${port}`, `localhost/gsls:${VERSION}`, '--data-file=/data/registry'];
      const id = await podman(...run, ...options);
      await until(async () => (await podman('logs', id)).includes('listening on'));
      if (isNew) await expectItServes(port);
      else expect((await ask({ host: '127.0.0.1', port }, 'GET /')).body.count).to.equal(1);
      await podman('stop', '--time=20', id);
    }
  });
});
