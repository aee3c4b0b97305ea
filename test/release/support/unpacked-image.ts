/** An image of the release, unpacked: what a container of it sees, and what its configuration says. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeFile } from './made-release.ts';

export interface UnpackedImage {
  readonly root: string;
  readonly layers: readonly string[];
  readonly configuration: {
    readonly architecture: string;
    readonly config: Readonly<Record<string, unknown>>;
  };
}

/** `folder`: a new one. */
export function unpackImage(architecture: 'amd64' | 'arm64', folder: string): UnpackedImage {
  const root = join(folder, 'root');
  mkdirSync(root, { recursive: true });
  execFileSync('tar', ['-xJf', madeFile(`gsls-VERSION-image-${architecture}.tar.xz`), '-C', folder]);
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const [{ Config, Layers }] = read('manifest.json') as [{ Config: string; Layers: string[] }];
  for (const layer of Layers) execFileSync('tar', ['-xf', join(folder, layer), '-C', root]);
  return {
    root,
    layers: Layers.map((layer) => join(folder, layer)),
    configuration: read(Config) as UnpackedImage['configuration'],
  };
}
