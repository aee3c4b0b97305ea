/** The files of the package that are inside the single file, by the URLs where the sources look for them. */

import * as sea from 'node:sea';

/** Where the sources believe that they are: `import.meta.url` begins with it. */
declare const PACKAGE: string;

/** Node 24 has it, and the types are those of an older one. */
const { getAssetKeys } = sea as unknown as { readonly getAssetKeys: () => string[] };

/** The name of a file inside; undefined for any other path. */
export function insideName(path: unknown): string | undefined {
  return path instanceof URL && path.href.startsWith(PACKAGE) ? path.href.slice(PACKAGE.length) : undefined;
}

/** The bytes, or the text in an encoding. Throws where there is no such file. */
export function readInside(name: string, encoding: unknown): Buffer | string {
  const bytes = Buffer.from(sea.getAsset(name));
  return encoding === undefined ? bytes : bytes.toString(encoding as BufferEncoding);
}

/** The names of all files below a folder inside, whose name ends with a slash. */
export function namesInside(folder: string): string[] {
  return getAssetKeys()
    .filter((name) => name.startsWith(folder))
    .map((name) => name.slice(folder.length));
}
