/** The clients beside gsls-client, each in the form that its platform takes. */

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packTar, packZip } from './archives.ts';
import { ROOT, type Making } from './making.ts';
import { packNpm } from './npm-packages.ts';
import { makePythonPackages } from './python-packages.ts';

const CLIENTS = join(ROOT, 'clients');
const PROJECT = 'NuGet~/Gsls.Client.csproj';

export async function makeClients(making: Making): Promise<void> {
  await makePythonPackages(making, join(CLIENTS, 'python'));
  await packNpm(making, join(CLIENTS, 'csharp'));
  await packCSharp(making);
  await packGodot(making);
  await packC(making);
}

/** Packs the sources for .NET and Mono with the project for a package of them, which gets the owner's addresses. */
async function packCSharp(making: Making): Promise<void> {
  const { newFolder, out, version, addresses } = making;
  const name = `gsls-client-csharp-${version}`;
  const folder = newFolder();
  const sources = readdirSync(join(CLIENTS, 'csharp/Runtime')).filter((file) => file.endsWith('.cs'));
  const files = ['LICENSE', 'README.md', 'CHANGELOG.md', PROJECT];
  copyFiles(
    [...files, ...sources.map((file) => `Runtime/${file}`)],
    join(CLIENTS, 'csharp'),
    join(folder, name),
  );
  const project = join(folder, name, PROJECT);
  const properties = { PackageProjectUrl: addresses.homepage, RepositoryUrl: addresses.repository };
  const lines = Object.entries(properties).map(([key, value]) => `    <${key}>${value}</${key}>\n`);
  const end = '  </PropertyGroup>\n';
  writeFileSync(project, readFileSync(project, 'utf8').replace(end, lines.join('') + end));
  await packZip(making, out(`${name}.zip`), folder);
}

/** Packs the folder `addons` alone: what a game unpacks overwrites no file of its own. */
async function packGodot(making: Making): Promise<void> {
  const folder = making.newFolder();
  const addon = join(folder, 'addons/gsls');
  cpSync(join(CLIENTS, 'godot/addons/gsls'), addon, { recursive: true });
  copyFiles(['README.md'], join(CLIENTS, 'godot'), addon);
  await packZip(making, making.out(`gsls-godot-${making.version}.zip`), folder);
}

/** Packs what a game compiles or installs, without the tests of the client. */
async function packC(making: Making): Promise<void> {
  const name = `gsls-c-${making.version}`;
  const folder = making.newFolder();
  const files = ['gsls.c', 'gsls.h', 'example.c', 'CMakeLists.txt', 'LICENSE', 'README.md'];
  const templates = ['cmake/gsls.pc.in', 'cmake/gslsConfig.cmake.in'];
  copyFiles([...files, ...templates], join(CLIENTS, 'c'), join(folder, name));
  await packTar(making, making.out(`${name}.tar.gz`), folder);
}

/** Copies the files with these paths in the one folder to the same paths in the other, which get their folders. */
function copyFiles(paths: readonly string[], from: string, to: string): void {
  for (const path of paths) cpSync(join(from, path), join(to, path));
}
