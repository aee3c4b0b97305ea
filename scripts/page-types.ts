/**
 * The types of what the page reads, and of the details that a game server may send by gsls-client. `npm run generate --
 * page-types` writes them from the description that a service gives of its API and from the table of details; a test
 * holds the files to it.
 */

import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { format, type Options } from 'prettier';
import { OPENAPI_TYPESCRIPT } from '../test/support/openapi-typescript.ts';
import { DETAIL_FIELDS, DETAIL_NAMES, type DetailValues } from '../src/model/fields/detail-fields.ts';
import { startTestService } from '../test/support/start-test-service.ts';

const FILE = new URL('../src/model/view/api.d.ts', import.meta.url);
const DETAILS_FILE = new URL('../clients/typescript/src/details.d.ts', import.meta.url);

/** The schemas of the answers and events whose types the page uses. */
const READ = ['Page', 'OneServer', 'Stats', 'ChangesEvent', 'History', 'ServerHistory', 'Diagnosis'].concat([
  'Beacons',
  'Me',
  'Entries',
  'OneEntry',
  'Preview',
  'NewBan',
  'Bans',
  'NewLabel',
  'Labels',
  'Reports',
  'Audit',
]);

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
  const service = await startTestService({ GSLS_ADMIN_KEY: 'key', GSLS_REPORT_REASONS: 'spam' });
  const document = await fetch(`${service.url}/openapi.json`).then(
    (response) => response.json() as Promise<Document>,
  );
  await service.close();
  const program = spawn(process.execPath, [...OPENAPI_TYPESCRIPT, '--immutable', '--empty-objects-unknown'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  program.stdin.end(JSON.stringify(whatThePageReads(document)));
  return formatted(await text(program.stdout));
}

/** The type of a detail in a request, by its kind. */
const DETAIL_TYPES: Readonly<Record<keyof DetailValues, string>> = {
  text: 'string',
  boolean: 'boolean',
  texts: 'readonly string[]',
  addresses: 'readonly { readonly ip: string; readonly port: number }[]',
  latency: 'Readonly<Record<string, number>>',
  json: 'Readonly<Record<string, unknown>>',
};

/** The text of the file of the client. */
export function renderDetailTypes(): Promise<string> {
  const members = DETAIL_NAMES.flatMap((name) => {
    const { kind, meaning, rules } = DETAIL_FIELDS[name];
    return [
      `/** ${meaning}: ${rules.description}. */`,
      `readonly ${name}?: ${DETAIL_TYPES[kind]} | undefined;`,
    ];
  });
  return formatted(`/** Written by \`npm run generate -- page-types\`. */

/** What a game server may say of itself beyond what every one says. */
export interface Details { ${members.join('\n')} }`);
}

async function formatted(source: string): Promise<string> {
  const style = JSON.parse(readFileSync(new URL('../.prettierrc.json', import.meta.url), 'utf8')) as Options;
  return format(source, { ...style, parser: 'typescript' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(FILE, await renderPageTypes());
  writeFileSync(DETAILS_FILE, await renderDetailTypes());
}
