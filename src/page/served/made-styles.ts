/**
 * Styles that the service makes from a colour. It is in the file name, so that each replica makes the same file for a
 * name, and stores none for the addresses of strangers. A name also has the hash of the content, so that another
 * release does not answer with another file.
 */

import { hashedName, type ServedFile } from '../../api/http/served-files.ts';
import { accentStyle } from './accent.ts';

interface MadeStyle extends ServedFile {
  readonly name: string;
}

const NAME = /^accent-([\da-f]{6})-[\w-]{12}\.css$/;

/** `color`: `#rrggbb`. */
export function accentFile(color: string): MadeStyle {
  const bytes = Buffer.from(accentStyle(color));
  return {
    name: hashedName(`accent-${color.slice(1)}`, 'css', bytes),
    bytes,
    headers: { 'Content-Type': 'text/css; charset=utf-8' },
  };
}

/** Undefined for any other file name. */
export function madeFile(name: string): MadeStyle | undefined {
  const [, color] = NAME.exec(name) ?? [];
  const made = color === undefined ? undefined : accentFile(`#${color}`);
  return made?.name === name ? made : undefined;
}
