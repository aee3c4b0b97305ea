/** The commands of docs/install.md that install a release, as people type them. */

import { readDocument } from '../../support/markdown.ts';

const [, SECTION] = /\n## Install\n(.*?)\n### /s.exec(readDocument('docs/install.md'))!;
const IN_TABLE = /^\|.*?\| `([^`]+)`/gm;
const IN_BLOCK = /^```sh\n(.*?)\n```$/gms;

/** Each by the program that it begins with. */
export const INSTALL_COMMANDS: ReadonlyMap<string, string> = new Map(
  [...SECTION!.matchAll(IN_TABLE), ...SECTION!.matchAll(IN_BLOCK)].map(([, command]) => [
    command!.split(' ', 1)[0]!,
    command!,
  ]),
);
