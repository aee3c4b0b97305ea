/** Instead of node:fs/promises where the sources import it: files of the package are inside. */

import * as promises from 'node:fs/promises';
import { insideName, namesInside, readInside } from './inside.ts';

export * from 'node:fs/promises';

export const readFile = (async (path: string, options?: BufferEncoding) => {
  const name = insideName(path);
  return name === undefined ? promises.readFile(path, options) : readInside(name, options);
}) as typeof promises.readFile;

export const readdir = (async (path: string, options?: { recursive: boolean }) => {
  const folder = insideName(path);
  return folder === undefined ? promises.readdir(path, options) : namesInside(folder);
}) as typeof promises.readdir;
