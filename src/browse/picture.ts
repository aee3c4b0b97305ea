/** Pictures by their content: which of those that every browser shows a file is. */

import type { ServedFile } from '../http/served-files.ts';

export interface Picture extends ServedFile {
  /** Of its name: `svg`. */
  readonly extension: string;
}

interface Format {
  readonly extension: string;
  readonly type: string;
  readonly isIt: (bytes: Buffer) => boolean;
}

/** A picture that is opened by itself runs no script and loads nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** What may come before the root of an SVG: a declaration, comments and a document type. Each has one way to match. */
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

/** Undefined if it is none. */
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
