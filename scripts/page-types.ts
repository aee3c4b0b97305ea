/**
 * The types of what the page reads. `npm run generate -- page-types` writes src/model/view/api.d.ts from the
 * description that a service gives of its API; a test holds the file to it.
 */

import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { format, type Options } from 'prettier';
import { OPENAPI_TYPESCRIPT } from '../test/support/openapi-typescript.ts';
import { startTestService } from '../test/support/start-test-service.ts';

const FILE = new URL('../src/model/view/api.d.ts', import.meta.url);

/** The schemas of the answers and events whose types the page uses. */
const READ = ['Page', 'OneServer', 'Stats', 'ChangesEvent', 'History', 'Diagnosis'];

interface Document {
  readonly openapi: string;
  readonly info: object;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** Those schemas, and what they refer to. */
function whatThePageReads({ openapi, info, components }: Document): object {
  const schemas: Record<string, object> = {};
  const add = (name: string): void => {
    if (Object.hasOwn(schemas, name)) return;
    schemas[name] = components.schemas[name]!;
    for (const [, other] of JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/(\w+)/g))
      add(other!);
  };
  READ.forEach(add);
  return { openapi, info, paths: {}, components: { schemas } };
}

/** The text of the file. */
export async function renderPageTypes(): Promise<string> {
  const service = await startTestService();
  const document = await fetch(`${service.url}/openapi.json`).then(
    (response) => response.json() as Promise<Document>,
  );
  await service.close();
  const program = spawn(process.execPath, [...OPENAPI_TYPESCRIPT, '--immutable', '--empty-objects-unknown'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  program.stdin.end(JSON.stringify(whatThePageReads(document)));
  const types = await text(program.stdout);
  const style = JSON.parse(readFileSync(new URL('../.prettierrc.json', import.meta.url), 'utf8')) as Options;
  return format(types, { ...style, parser: 'typescript' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(FILE, await renderPageTypes());
