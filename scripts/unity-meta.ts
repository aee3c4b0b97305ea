/**
 * The `.meta` files that Unity expects beside each file and folder of a package, but for those that end with `~`. Unity
 * knows an asset by the GUID in it; here it follows from the path, so that it never changes by chance. Run this after a
 * file has come or gone: `npx tsx scripts/unity-meta.ts`.
 */

import { createHash } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const UNITY_PACKAGE = fileURLToPath(new URL('../clients/csharp/', import.meta.url));

const IMPORTERS: Readonly<Record<string, string>> = {
  '.cs': 'MonoImporter',
  '.asmdef': 'AssemblyDefinitionImporter',
  '.md': 'TextScriptImporter',
};

/** The text of each `.meta` file, by its path in the package. */
export function metaFiles(folder = ''): Map<string, string> {
  const metas = new Map<string, string>();
  for (const entry of readdirSync(join(UNITY_PACKAGE, folder), { withFileTypes: true })) {
    const { name } = entry;
    if (/^\.|~$|\.meta$/.test(name)) continue;
    const path = folder === '' ? name : `${folder}/${name}`;
    metas.set(`${path}.meta`, metaOf(path, entry.isDirectory()));
    if (entry.isDirectory()) for (const [each, text] of metaFiles(path)) metas.set(each, text);
  }
  return metas;
}

function metaOf(path: string, isFolder: boolean): string {
  const guid = createHash('md5').update(`com.gsls.client/${path}`).digest('hex');
  const importer =
    path === 'package.json'
      ? 'PackageManifestImporter'
      : (IMPORTERS[extname(basename(path))] ?? 'DefaultImporter');
  const lines = [
    'fileFormatVersion: 2',
    `guid: ${guid}`,
    ...(isFolder ? ['folderAsset: yes'] : []),
    `${importer}:`,
    '  externalObjects: {}',
  ];
  return `${lines.join('\n')}\n`;
}

/** The paths of those that there are. */
export function presentMetas(): string[] {
  return readdirSync(UNITY_PACKAGE, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.meta'))
    .map((path) => path.replaceAll('\\', '/'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const path of presentMetas()) rmSync(join(UNITY_PACKAGE, path));
  for (const [path, text] of metaFiles()) writeFileSync(join(UNITY_PACKAGE, path), text);
}
