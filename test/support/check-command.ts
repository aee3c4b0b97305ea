/**
 * What a command of a document has to be: a program that is known here, with options, files, variables and versions
 * that exist. Runs none of them. An unknown program or option is an error, so that a new one gets its check here.
 */

import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readAnnounce } from '../../src/tools/announce/announce.ts';
import { moderate } from '../../src/tools/moderate/moderate.ts';
import { ANNOUNCE_OPTIONS } from '../../src/tools/announce/config/announce-options.ts';
import { UsageError } from '../../src/runtime/usage-error.ts';
import { OPTIONS } from '../../src/service/config/options.ts';
import type { OptionDefinition } from '../../src/service/config/option.ts';
import { checkCommandLine } from './check-command-line.ts';
import { checkCurl, checkUrl, type Services } from './check-request.ts';
import { readDocument } from './markdown.ts';
import type { ShellCommand } from './shell-commands.ts';

/** Where a command stands. */
export interface Place extends Services {
  /** Of the document, relative to the root. */
  readonly folder: string;
  /** The commands before it in the same block, and before it on the whole page. */
  readonly inBlock: readonly ShellCommand[];
  readonly onPage: readonly ShellCommand[];
  /** Code in a line shows a command by itself: what is needed before it stands elsewhere. */
  readonly isInline: boolean;
}

/** That of the services, as the documents write it. */
export const ADMIN_KEY = 'secret';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const {
  name: itself,
  version,
  scripts,
  devDependencies,
} = JSON.parse(readDocument('package.json')) as {
  readonly name: string;
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};

/** Those that the program does not read itself. */
const FURTHER_VARIABLES = [
  'docker-compose.yml',
  'test/support/runs.ts',
  'test/support/seed.ts',
  'test/faults/mirrors.fault.ts',
  'test/faults/nemesis.fault.ts',
].flatMap((path) => readDocument(path).match(/\bGSLS_\w+/g) ?? []);

type Check = (args: readonly string[], command: ShellCommand, place: Place) => unknown;

/** Programs whose words are nothing but texts, places on another machine, and what is checked of every word. */
const PLAIN =
  'apt cat cd chronyc cut echo grep head install kill minisign mkdir mv openssl printf redis-cli sed sha256sum sleep systemctl tar timedatectl tr umask useradd wait'.split(
    ' ',
  );

const CHECKS: Readonly<Record<string, Check>> = {
  ...Object.fromEntries(PLAIN.map((program) => [program, () => undefined])),
  export: (_, { assignments }) => demand(Object.keys(assignments).length > 0, 'it sets nothing'),
  gsls: checkGsls,
  node: checkNode,
  npm: checkNpm,
  npx: checkNpx,
  docker: checkDocker,
  kubectl: checkKubectl,
  haproxy: checkHaproxy,
  curl: (args, _, place) => checkCurl(args, place),
  python3: ([file], _, place) => {
    const isWritten = place.onPage.some(({ redirected }) => redirected.includes(file!));
    if (file !== '-m' && !isWritten) requireFile(file!, place);
  },
  mcs: (args, _, place) =>
    args
      .filter((each) => !each.startsWith('-'))
      .forEach((file) => requireFile(file.replace(/\*\.cs$/, ''), place)),
  mono: ([file], _, place) => requireFile(file!.replace(/\.exe$/, '.cs'), place),
};

/** The programs with a check of their own: code in a line that begins with one of them is a command. */
export const PROGRAMS: readonly string[] = Object.keys(CHECKS).filter((program) => !PLAIN.includes(program));

/** Rejects with an Error of one line. */
export async function checkCommand(command: ShellCommand, place: Place): Promise<void> {
  const { words, assignments, redirected } = command;
  const [program, ...args] = words;
  for (const text of [...words, ...redirected, ...Object.entries(assignments).map((each) => each.join('='))])
    checkText(text, command, place);
  if (program === undefined) return;
  const check = CHECKS[program];
  demand(check !== undefined, `${program} is no program that the test knows`);
  await check!(args, command, place);
  if (program !== 'curl') for (const word of args) await checkUrl(word, place);
}

/** What is checked of any word: paths of the repository, versions, variables of the program. */
function checkText(text: string, { words }: ShellCommand, place: Place): void {
  const isMade = words[0] === 'mkdir' || place.inBlock.some((each) => isMakingFolder(each, text));
  if (/^(\.\/)?(\.ci|bench|deploy|dist|docs|examples|scripts|src|test)\//.test(text) && !isMade)
    requireFile(text, { ...place, folder: '.' });
  checkNames(text);
}

/** The versions and the variables of GSLS in a text of any language. Throws an Error of one line. */
export function checkNames(text: string): void {
  for (const [, named] of text.matchAll(/(?:\bgsls(?:-docs)?[-_:@]|\bnewTag: |-service-)(\d+\.\d+\.\d+)/g))
    demand(named === version, `it names ${named}, and package.json ${version}`);
  for (const [, name, value] of text.matchAll(/\b(GSLS_[A-Z_]+)(?:=(\S+))?/g)) checkVariable(name!, value);
}

function isMakingFolder({ words: [program, ...args] }: ShellCommand, path: string): boolean {
  return program === 'mkdir' && args.includes(path);
}

function checkVariable(name: string, value: string | undefined): void {
  const options = [...Object.values<OptionDefinition<unknown>>(OPTIONS), ...Object.values(ANNOUNCE_OPTIONS)];
  const option = options.find(({ variable }) => variable === name);
  demand(option !== undefined || FURTHER_VARIABLES.includes(name), `nothing reads ${name}`);
  if (value !== undefined) option?.parse([value]);
}

/** Variables of the script, `export`ed or set for this command alone, that are for the program. */
async function checkGsls(
  args: readonly string[],
  { assignments }: ShellCommand,
  place: Place,
): Promise<void> {
  // The name of several commands, as a text says it.
  if (place.isInline && args.join(' ') === 'ban') return;
  const exported = place.onPage.filter(({ words }) => words[0] === 'export').map((each) => each.assignments);
  const environment = Object.assign({}, ...exported, assignments) as Record<string, string>;
  if (place.isInline) environment['GSLS_ADMIN_KEY'] ??= ADMIN_KEY;
  const ofProgram = Object.entries(environment).filter(([name]) => name.startsWith('GSLS_'));
  if (args[0] === 'announce') return checkAnnounce(args.slice(1), Object.fromEntries(ofProgram), place);
  await checkCommandLine(args, Object.fromEntries(ofProgram), async (command, flags, config) => {
    const { url } = place.service;
    // What the service refuses of the fields is a UsageError; that there is no such ban is none.
    await moderate(command, { ...flags, url }, config, 'ann').catch((error: unknown) => {
      if (error instanceof UsageError) throw error;
    });
  });
}

/** A file that it names has one game server. In a line, its name alone is the command that the text is about. */
async function checkAnnounce(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { isInline }: Place,
): Promise<void> {
  if (isInline && args.length === 0) return;
  await readAnnounce(args, {
    environment,
    readFile: (path) =>
      path.endsWith('.json')
        ? '{"to": "http://localhost", "servers": [{"query": "a2s localhost:1"}]}'
        : 'key',
    hostName: 'localhost',
    print: () => undefined,
  }).catch((error: unknown) => {
    // A help.
    if (error instanceof UsageError) throw error;
  });
}

async function checkNode(args: readonly string[], command: ShellCommand, place: Place): Promise<void> {
  const [file, ...rest] = args[0] === '--import' ? args.slice(2) : args;
  requireFile(file!, place);
  if (file !== 'dist/cli.js') return;
  requireInstalled(place.inBlock, place, 'dist is there once `npm ci` has built it');
  await checkGsls(rest, command, place);
}

async function checkNpm(args: readonly string[], command: ShellCommand, place: Place): Promise<void> {
  const [task, ...rest] = args;
  const behind = rest.includes('--') ? rest.slice(rest.indexOf('--') + 1) : [];
  switch (task) {
    case 'ci':
    case 'version':
      return;
    case 'pack':
    case 'install':
      // The tarball is built by the packages of development. From git, npm installs these itself.
      if (!rest.some((each) => each.includes('git+') || each === `./${itself}-${version}.tgz`))
        requireInstalled(place.inBlock, place, 'npm pack builds with what `npm ci` installs');
      return;
    case 'start':
      requireInstalled(place.onPage, place, '`npm start` needs `npm ci`');
      demand(rest.length === 0 || rest[0] === '--', 'npm keeps options without a `--` before them');
      return checkGsls(behind, command, place);
    case 'test':
      return requireInstalled(place.onPage, place, '`npm test` needs `npm ci`');
    case 'run': {
      const script = scripts[rest[0]!];
      demand(script !== undefined, `package.json has no script ${rest[0]}`);
      requireInstalled(place.onPage, place, '`npm run` needs `npm ci`');
      demand(rest.length === 1 || rest[1] === '--', 'npm keeps options without a `--` before them');
      return checkOptionsOf(script!.split(' ').at(-1)!, behind);
    }
    default:
      throw new Error(`npm ${task} is nothing that the test knows`);
  }
}

/** Where the programs are that a script of the repository runs by their names. */
const PROGRAMS_BY_NAME: Readonly<Record<string, (name: string) => string>> = {
  'bench/run.ts': (name) => `bench/${name}/run.ts`,
  'scripts/generate.ts': (name) => `scripts/${name}.ts`,
};

/** The options of a script of the repository are those that its source describes, and --help. */
function checkOptionsOf(script: string, args: readonly string[]): void {
  const fileOf = PROGRAMS_BY_NAME[script];
  const [name] = args;
  if (fileOf !== undefined && name !== undefined && name !== '--help') {
    demand(new RegExp(`^ {4}'?${name}'?: '`, 'm').test(readDocument(script)), `${script} has no ${name}`);
    return checkOptionsOf(fileOf(name), args.slice(1));
  }
  for (const flag of args.filter((each) => each.startsWith('--'))) {
    const definition =
      flag === '--help'
        ? /\b(readOptions|runByName)\(/
        : new RegExp(`^  (?:'?${flag.slice(2)}'?: \\[|${flag} )`, 'm');
    demand(definition.test(readDocument(script)), `${script} has no ${flag}`);
  }
}

async function checkNpx(args: readonly string[], command: ShellCommand, place: Place): Promise<void> {
  const [program, ...rest] = args[0] === '--package' ? args.slice(2) : args;
  if (program === 'gsls' || program === itself) return checkGsls(rest, command, place);
  demand(Object.hasOwn(devDependencies, program!), `${program} is no package of package.json`);
  const [file, option, title] = rest;
  if (program === 'mocha' && option === '--grep')
    demand(readDocument(file!).includes(title!), `${file} has no test with "${title}"`);
}

/** Options of Docker with a value, and those without. */
const WITH_VALUE =
  '--build-arg --env --file --input --name --profile --publish --scale --signal --tag --volume'.split(' ');
const ALONE = '--build --detach --init --read-only --rm'.split(' ');

async function checkDocker(args: readonly string[], command: ShellCommand, place: Place): Promise<void> {
  const options: [string, string][] = [];
  const words: string[] = [];
  // Behind the image, or the program in a container, all words are for the program.
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index]!;
    if (WITH_VALUE.includes(arg)) options.push([arg, args[(index += 1)]!]);
    else if (ALONE.includes(arg)) continue;
    else if (arg.startsWith('-')) throw new Error(`docker … ${arg} is nothing that the test knows`);
    else if (words.push(arg) === 2 && words[0] === 'run') return checkImage(args.slice(index));
    else if (words.join(' ') === 'compose exec gsls') return checkInContainer(args.slice(index + 1));
  }
  const compose = readDocument('docker-compose.yml');
  const dockerfile = readDocument('Dockerfile');
  for (const [option, value] of options) {
    const [name] = value.split('=');
    if (option === '--profile')
      demand(compose.includes(`profiles: [${name}]`), `docker-compose.yml has no profile ${name}`);
    if (option === '--scale') demand(compose.includes(`\n  ${name}:\n`), `docker-compose.yml has no ${name}`);
    if (option === '--build-arg')
      demand(dockerfile.includes(`ARG ${name}=`), `the Dockerfile has no ${name}`);
  }
  const known = ['build .', 'compose up', 'kill', 'load'];
  const isPush = words[0] === 'push' && words.length === 2;
  demand(known.includes(words.join(' ')) || isPush, `docker ${words.join(' ')} is unknown to the test`);

  async function checkImage([image, ...rest]: readonly string[]): Promise<void> {
    demand(/(^|\/)gsls(:\d+\.\d+\.\d+)?$/.test(image!), `${image} is not built anywhere`);
    await checkGsls(rest, command, place);
  }

  async function checkInContainer([program, file, ...rest]: readonly string[]): Promise<void> {
    demand(program === 'node' && file === 'dist/cli.js', `the image has no ${program} ${file}`);
    await checkGsls(rest, command, place);
  }
}

function checkKubectl(args: readonly string[], _: ShellCommand, place: Place): void {
  const kustomization = args[args.indexOf('-k') + 1];
  // `.` is the folder of the reader's own.
  if (args.includes('-k') && kustomization !== '.')
    requireFile(posix.join(kustomization!, 'kustomization.yaml'), place);
  const [task] = args[0] === '--namespace' ? args.slice(2) : args;
  demand(
    ['apply', 'create', 'diff', 'port-forward', 'rollout'].includes(task!),
    `kubectl ${task} is nothing that the test knows`,
  );
}

function checkHaproxy(args: readonly string[], { assignments }: ShellCommand): void {
  const file = args[args.indexOf('-f') + 1]!;
  for (const name of Object.keys(assignments))
    demand(new RegExp(String.raw`\b${name}\b`).test(readDocument(file)), `${file} has no ${name}`);
}

function requireInstalled(before: readonly ShellCommand[], { isInline }: Place, why: string): void {
  demand(isInline || before.some(({ words }) => words.join(' ') === 'npm ci'), why);
}

/** Relative to the document; what is in dist comes from src. */
function requireFile(file: string, { folder }: Place): void {
  const path = posix.join(folder, file).replace(/^dist\/(.*)\.js$/, 'src/$1.ts');
  demand(existsSync(posix.join(ROOT, path)), `there is no ${path}`);
}

function demand(isMet: boolean, complaint: string): void {
  if (!isMet) throw new Error(complaint);
}
