/**
 * The image of each architecture, as an archive that Docker and Podman load. It is the last stage of the Dockerfile, on
 * an image that has Node, the libraries it needs and nothing else: no shell, no package manager, no other program. The
 * format is Docker's, as OCI's has no HEALTHCHECK.
 */

import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packTar, settleModes } from './archives.ts';
import { componentsOf, debianComponents, nodeComponent, writeBill } from './bill-of-materials.ts';
import { stageLibraries } from './debian-libraries.ts';
import { ARCHITECTURES, DEBIAN_NAMES, ROOT, type Architecture, type Making } from './making.ts';
import { fetchNode, stageProgram } from './program.ts';

/** The user of the service: the one that images of Node have, so that volumes of either fit the other. */
const USER = 'node';
const USER_ID = 1000;
const ANYBODY_WRITES = 0o1777;
const BASE = 'localhost/gsls-base';
const BASE_DOCKERFILE = 'FROM scratch\nCOPY . /\nENV PATH=/usr/local/bin\n';

export async function makeImages(making: Making): Promise<void> {
  const program = await stageProgram(making);
  await Promise.all(ARCHITECTURES.map((architecture) => makeImage(making, architecture, program)));
}

async function makeImage(making: Making, architecture: Architecture, program: string): Promise<void> {
  const { run, newFolder, version, epochS, out } = making;
  const name = DEBIAN_NAMES[architecture];
  const tag = `localhost/gsls:${version}`;
  const storage = newFolder();
  const dockerfile = join(newFolder(), 'Dockerfile');
  writeFileSync(dockerfile, BASE_DOCKERFILE);
  const buildah = async (...args: readonly string[]): Promise<string> =>
    run('buildah', [`--root=${storage}/root`, `--runroot=${storage}/run`, '--storage-driver=vfs', ...args]);
  const build = ['bud', '--quiet', `--timestamp=${epochS}`, `--arch=${name}`, '--format=docker'];
  const system = await stageSystem(making, architecture);
  await buildah(...build, `--tag=${BASE}`, `--file=${dockerfile}`, system);
  const stage = newFolder();
  for (const folder of ['app', 'data']) mkdirSync(join(stage, folder));
  cpSync(program, join(stage, 'app'), { recursive: true });
  settleModes(stage);
  await buildah(
    ...build,
    `--build-context=build=${stage}`,
    `--build-arg=NODE_IMAGE=${BASE}`,
    `--file=${join(ROOT, 'Dockerfile')}`,
    `--tag=${tag}`,
    program,
  );
  const archive = newFolder();
  await buildah('push', '--quiet', tag, `docker-archive:${archive}/image.tar:${tag}`);
  await run('tar', ['--extract', '--file=image.tar'], { cwd: archive });
  const files = forgetMachine(archive);
  const file = `gsls-${version}-image-${name}`;
  await packTar(making, out(`${file}.tar.xz`), archive, files);
  writeBill(making, file, [
    ...componentsOf(program),
    nodeComponent(architecture),
    ...debianComponents(system, architecture),
  ]);
}

/**
 * Takes out of an archive that is unpacked here what buildah notes of the container in which it built, which is another
 * one each time. The name of a configuration is the hash of its bytes. Returns the files of the archive.
 */
function forgetMachine(folder: string): string[] {
  const path = join(folder, 'manifest.json');
  const [manifest] = JSON.parse(readFileSync(path, 'utf8')) as [{ Config: string; Layers: string[] }];
  const config = readFileSync(join(folder, manifest.Config), 'utf8');
  const kept = JSON.stringify(JSON.parse(config), (key, value: unknown) =>
    ['container', 'container_config', 'Hostname', 'parent', 'io.buildah.version'].includes(key)
      ? undefined
      : value,
  );
  manifest.Config = `${createHash('sha256').update(kept).digest('hex')}.json`;
  writeFileSync(join(folder, manifest.Config), kept);
  writeFileSync(path, JSON.stringify([manifest]));
  return ['manifest.json', manifest.Config, ...manifest.Layers];
}

/** Resolves with the root of the image without the program: Node, its libraries, and the files that tell of users. */
async function stageSystem(making: Making, architecture: Architecture): Promise<string> {
  const system = await stageLibraries(making, architecture);
  const node = await fetchNode(making, architecture);
  const put = (path: string, text: string): void => writeFileSync(join(system, path), text);
  for (const folder of ['etc', 'usr/local/bin', 'usr/share/doc/nodejs', 'tmp'])
    mkdirSync(join(system, folder), { recursive: true });
  cpSync(join(node, 'bin/node'), join(system, 'usr/local/bin/node'));
  cpSync(join(node, 'LICENSE'), join(system, 'usr/share/doc/nodejs/copyright'));
  put('etc/passwd', `root:x:0:0:root:/:\n${USER}:x:${USER_ID}:${USER_ID}:GSLS:/app:\n`);
  put('etc/group', `root:x:0:\n${USER}:x:${USER_ID}:\n`);
  put('etc/nsswitch.conf', 'hosts: files dns\n');
  settleModes(system);
  chmodSync(join(system, 'tmp'), ANYBODY_WRITES);
  return system;
}
