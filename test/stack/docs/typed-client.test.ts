/** A client that openapi-typescript makes of the description: a program that uses its types compiles, and works. */

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ask } from '../../support/ask.ts';
import { OPENAPI_TYPESCRIPT } from '../../support/openapi-typescript.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { useService } from '../../support/use-service.ts';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PACKAGES = join(ROOT, 'node_modules');
const PROGRAM = join(ROOT, 'test/support/typed-client/program.ts');
const KEY = 'geheim';

const OPTIONS = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'dom'],
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ['node'],
  },
  files: ['program.ts'],
};

/** A program of a package, run by this Node. Rejects with what it prints if it fails. */
async function node(folder: string, ...args: readonly string[]): Promise<string> {
  try {
    return (await run(process.execPath, args, { cwd: folder })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}

describe('a client that is made of the description of the API', function () {
  this.timeout(120_000);
  const newPath = useDirectory();
  const service = useService({ GSLS_KEY: KEY, GSLS_ALLOW_UNLISTED: 'true', GSLS_ADMIN_KEY: 'boss' });
  let folder: string;

  before(async () => {
    folder = newPath();
    mkdirSync(folder);
    symlinkSync(PACKAGES, join(folder, 'node_modules'), 'junction');
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(OPTIONS));
    cpSync(PROGRAM, join(folder, 'program.ts'));
    const { text } = await ask(service, 'GET /openapi.json', { headers: { Authorization: KEY } });
    writeFileSync(join(folder, 'openapi.json'), text);
    await node(folder, ...OPENAPI_TYPESCRIPT, 'openapi.json', '--output', 'gsls.ts');
  });

  it('compiles with a program that uses it', async () => {
    await node(folder, join(PACKAGES, 'typescript/bin/tsc'));
  });

  it('works', async () => {
    const printed = await node(folder, '--import', 'tsx/esm', 'program.ts', service.url, KEY);
    expect(JSON.parse(printed)).to.deep.equal({
      pinged: 'success',
      total: 1,
      names: ['Frankfurt 1'],
      code: 'not_owner',
      changes: 'object',
      listed: 1,
    });
  });
});
