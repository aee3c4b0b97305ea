/** openapi-typescript, as arguments of this Node: it makes types of a description of an API. */

import { fileURLToPath } from 'node:url';

/** It works by the API of TypeScript 5, which the package of TypeScript 7 does not have. */
const WITH_TYPESCRIPT_5 = `data:text/javascript,${encodeURIComponent(`
  import { register } from 'node:module';
  register('data:text/javascript,' + encodeURIComponent(
    "export const resolve = (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context);"
  ));
`)}`;

const PROGRAM = new URL('../../node_modules/openapi-typescript/bin/cli.js', import.meta.url);

export const OPENAPI_TYPESCRIPT = ['--import', WITH_TYPESCRIPT_5, fileURLToPath(PROGRAM)] as const;
