/** Recognises pictures by their content, in the formats that every browser shows. The logo of the page is one. */

import { open, stat } from 'node:fs/promises';
import { UsageError } from '../../runtime/usage-error.ts';
import type { ServedFile } from '../../api/http/served-files.ts';

export interface Picture extends ServedFile {
  /** The extension of its name, such as `svg`. */
  readonly extension: string;
}

interface Format {
  readonly extension: string;
  readonly type: string;
  readonly isIt: (bytes: Buffer) => boolean;
}

/** A picture that is opened by itself may run no script and load nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** The text before the root of an SVG: a declaration, comments, a document type, each with one way to match. */
const BEFORE_ROOT =
  /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[^]*?-->\s*|<!DOCTYPE[^>[]*(?:\[[^\]]*\][^>]*)?>\s*)*/i;

const FORMATS: readonly Format[] = [
  { extension: 'png', type: 'image/png', isIt: (bytes) => begins(bytes, '\x89PNG\r\n\x1a\n') },
  { extension: 'jpg', type: 'image/jpeg', isIt: (bytes) => begins(bytes, '\xff\xd8\xff') },
  {
    extension: 'gif',
    type: 'image/gif',
    isIt: (bytes) => begins(bytes, 'GIF87a') || begins(bytes, 'GIF89a'),
  },
  {
    extension: 'webp',
    type: 'image/webp',
    isIt: (bytes) => begins(bytes, 'RIFF') && begins(bytes, 'WEBP', 8),
  },
  {
    extension: 'avif',
    type: 'image/avif',
    isIt: (bytes) => begins(bytes, 'ftyp', 4) && /^(?:....)*?avi[fs]/s.test(brandsOf(bytes)),
  },
  {
    extension: 'svg',
    type: 'image/svg+xml',
    isIt: (bytes) => /^<svg[\s>]/.test(bytes.toString().replace(BEFORE_ROOT, '')),
  },
];

/** Undefined if the bytes are no picture. */
export function pictureOf(bytes: Buffer): Picture | undefined {
  const format = FORMATS.find(({ isIt }) => isIt(bytes));
  if (format === undefined) return undefined;
  const { extension, type } = format;
  return { bytes, extension, headers: { 'Content-Type': type, 'Content-Security-Policy': POLICY } };
}

function begins(bytes: Buffer, text: string, at = 0): boolean {
  return bytes.toString('latin1', at, at + text.length) === text;
}

/** The brands that a file of the ISO base media format names, of four characters each. */
function brandsOf(bytes: Buffer): string {
  return bytes.toString('latin1', 8, bytes.length < 4 ? 0 : Math.min(bytes.readUInt32BE(0), 256));
}

/** The largest logo: a larger one would delay the page. */
const MOST_BYTES = 256 * 1024;

/** Reads the logo of the page, if there is one. Rejects with a UsageError when the page cannot show that file. */
export async function openPageLogo(path: string | undefined): Promise<Picture | undefined> {
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

/** Reads no more than it takes to see that the file is too large. */
async function readBeginning(path: string): Promise<Buffer> {
  // Opening a pipe would wait for a writer that may never come.
  if (!(await stat(path)).isFile()) throw new Error('it is no file');
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(MOST_BYTES + 1) });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
