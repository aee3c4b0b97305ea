/** Instead of node:fs where the sources import it: files of the package are inside, others where they always are. */

import * as fs from 'node:fs';
import { insideName, readInside } from './inside.ts';

export * from 'node:fs';

export const readFileSync = ((path: fs.PathOrFileDescriptor, options?: BufferEncoding) => {
  const name = insideName(path);
  return name === undefined ? fs.readFileSync(path, options) : readInside(name, options);
}) as typeof fs.readFileSync;
