/** Reads the logo of --page-logo. Part of the composition root. */

import { open, stat } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import { UsageError } from '../config/option.ts';
import { pictureOf, type Picture } from './picture.ts';

/** A larger one would hold up the page. */
const MOST_BYTES = 256 * 1024;

/** Rejects with a UsageError when the file is no picture that the page can show. */
export async function openPageLogo({
  pageLogo: path,
}: Pick<Config, 'pageLogo'>): Promise<Picture | undefined> {
  if (path === undefined) return undefined;
  const bytes = await readBeginning(path).catch((error: unknown) => {
    throw new UsageError(`the page logo ${path} cannot be read: ${(error as Error).message}`);
  });
  if (bytes.length > MOST_BYTES)
    throw new UsageError(`the page logo ${path} is larger than ${MOST_BYTES / 1024} kB: make it smaller`);
  const picture = pictureOf(bytes);
  if (picture === undefined)
    throw new UsageError(`the page logo ${path} is none of SVG, PNG, WebP, JPEG, GIF and AVIF`);
  return picture;
}

/** No more than it takes to see that the file is too large. */
async function readBeginning(path: string): Promise<Buffer> {
  // To open a pipe would wait for what may never come.
  if (!(await stat(path)).isFile()) throw new Error('it is no file');
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(MOST_BYTES + 1) });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
