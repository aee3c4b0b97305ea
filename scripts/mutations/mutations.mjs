/**
 * `npm run mutations -- --help`: do the tests notice a small fault? Plants a seeded sample of faults in a copy of the
 * last commit, each behind a switch, and runs the quick tests once to learn which of them reach which fault. Then it
 * runs those with one fault at a time, until one fails. A fault in Lua meets the tests of Redis.
 */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { filesEnding, startsProcesses } from '../../test/lanes/test-files.mjs';
import { possibleFaults } from './possible-faults.mjs';

const HELP = `Usage: npm run mutations -- [options]
  --seed <number>   which sample (default 1)
  --count <number>  how many faults (default 100)
  --sample <file>   reads the sample from this file, or writes it there if there is no such file
Prints what became of each fault: killed by a test, survived, or gone from the code.
`;
const ROOMS =
  /^src\/(model|runtime\/bytes|registry|protocols|api\/(http|writes|changes|find))\/.*\.(ts|lua)$/;
const MOST_MS = 240_000;
const SWITCH = new URL('fault-switch.mjs', import.meta.url);

const string = (value) => ({ type: 'string', default: value });
const options = readOptions();

/** Ends the process with one line where a word of the command is wrong. */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: { seed: string('1'), count: string('100'), sample: string(), help: { type: 'boolean' } },
    });
    if (values.help) {
      process.stdout.write(HELP);
      process.exit();
    }
    for (const name of ['seed', 'count'])
      if (!/^\d{1,3}$/.test(values[name])) throw new Error(`--${name} must be a number from 0 to 999`);
    return values;
  } catch (error) {
    process.stderr.write(`mutations: ${error.message.split('.')[0]}; see npm run mutations -- --help\n`);
    return process.exit(2);
  }
}

const copy = fs.mkdtempSync(join(tmpdir(), 'gsls-mutations-'));
process.on('exit', () => fs.rmSync(copy, { recursive: true, force: true }));
execFileSync('git', ['clone', '--quiet', '--local', process.cwd(), copy]);
for (const folder of ['node_modules', 'dist'])
  fs.symlinkSync(join(process.cwd(), folder), join(copy, folder), 'junction');

const read = (file) => fs.readFileSync(join(copy, file), 'utf8');
const write = (file, text) => fs.writeFileSync(join(copy, file), text);
const all = fs
  .readdirSync(join(copy, 'src'), { recursive: true })
  .map((path) => join('src', path))
  .filter((path) => ROOMS.test(path))
  .flatMap((path) => possibleFaults(path, read(path)));
const faults = takeSample().map((fault, id) => ({ ...fault, id }));
const present = faults.filter(({ at }) => at >= 0);
const inLua = present.filter(({ file }) => file.endsWith('.lua'));
const inTypeScript = present.filter((fault) => !inLua.includes(fault));

/** The sample of the file, each fault where it is in this code (-1: nowhere); or a new one of which no two overlap. */
function takeSample() {
  const { sample: path, seed, count } = options;
  if (path !== undefined && fs.existsSync(path)) {
    return JSON.parse(fs.readFileSync(path, 'utf8')).map((fault) => {
      const same = all.filter((each) => ['line', 'before', 'after'].every((key) => each[key] === fault[key]));
      return same.find(({ file }) => file === fault.file) ?? same[0] ?? { ...fault, at: -1 };
    });
  }
  let state = Number(seed);
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const sample = [];
  while (sample.length < Number(count)) {
    const fault = all[Math.floor(random() * all.length)];
    const overlaps = ({ file, at, before }) =>
      file === fault.file && fault.at < at + before.length && at < fault.at + fault.before.length;
    if (!sample.some(overlaps)) sample.push(fault);
  }
  if (path !== undefined) fs.writeFileSync(path, `${JSON.stringify(sample, null, 1)}\n`);
  return sample;
}

/** The text of a file with `after` in place of what the fault changes. */
function replaced({ file, at, before }, after) {
  const text = read(file);
  return text.slice(0, at) + after + text.slice(at + before.length);
}

for (const fault of inTypeScript.toSorted((a, b) => b.at - a.at)) {
  const { id, file, before, after } = fault;
  const planted = after === '' ? `{ if (!isOn(${id})) ${before} }` : `(isOn(${id}) ? ${after} : ${before})`;
  write(file, replaced(fault, planted));
}
for (const file of new Set(inTypeScript.map((fault) => fault.file)))
  write(file, `import { isOn } from '${SWITCH}';\n${read(file)}`);

/** Runs these test files in one process. Resolves with what failed first, or undefined. */
async function firstFailure(files, variables, more = ['--bail']) {
  // Mocha looks where it really is before it runs as a program.
  const mocha = ['--import=tsx/esm', fs.realpathSync('node_modules/mocha/lib/cli/cli.js')];
  const common = [
    '--no-config',
    '--no-package',
    '--exit',
    '--require=test/support/seed.ts',
    '--timeout=30000',
  ];
  const reporter = `--reporter=${fileURLToPath(SWITCH)}`;
  const child = spawn(process.execPath, [...mocha, ...common, reporter, ...more, ...files], {
    cwd: copy,
    env: { ...process.env, GSLS_TEST_SEED: '1', ...variables },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  const timer = setTimeout(() => child.kill('SIGKILL'), more.length > 0 ? MOST_MS : 10 * MOST_MS);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  if (code === 0) return undefined;
  return /failed: (.*)/.exec(output)?.[1] ?? (code === null ? 'a time-out' : 'an error while loading');
}

const tests = filesEnding('.test.ts').toSorted();
const onRedis = tests.filter(
  (path) => path.startsWith(join('test', 'registry', 'redis')) && startsProcesses(path),
);
const quick = tests.filter((path) => !startsProcesses(path) && !path.startsWith(join('test', 'docs')));
process.stderr.write(`runs ${quick.length} files of tests once, to learn which faults they reach\n`);
await firstFailure(quick, { GSLS_REACHED: join(copy, 'reached') }, []);
const reached = JSON.parse(`[${read('reached').trim().replaceAll('\n', ',')}]`);
const unsound = new Set(reached.filter(({ hasFailed }) => hasFailed).map(({ file }) => file));
for (const file of unsound) process.stderr.write(`left out, as it fails without a fault: ${file}\n`);
const sound = reached.filter(({ file }) => file !== '' && !unsound.has(file)).toSorted((a, b) => a.ms - b.ms);

const whileLoading = new Set(reached.filter(({ file }) => file === '').flatMap(({ ids }) => ids));

/**
 * The tests that reach the fault, the fastest first. A fault that is reached while files load counts as reached by the
 * tests of other faults of its file, or else by every test.
 */
function testsOf({ id, file }) {
  const siblings = inTypeScript.filter((fault) => fault.file === file).map((fault) => fault.id);
  const reaching = sound.filter(({ ids }) => ids.includes(id));
  const ofFile = sound.filter(({ ids }) => ids.some((each) => siblings.includes(each)));
  const known = [reaching, ofFile, whileLoading.has(id) ? sound : []];
  return (known.find(({ length }) => length > 0) ?? []).map((each) => each.file);
}

const counts = { killed: 0, survived: 0, gone: 0 };
function tell({ id, file, line, before, after }, verdict, by = '') {
  counts[verdict] += 1;
  const change = `${before} -> ${after || '(dropped)'}`;
  process.stdout.write(`${[id, verdict, by, file, line, change].join('\t')}\n`);
}
async function judge(fault, files, variables = {}) {
  const failed = files.length === 0 ? undefined : await firstFailure(files, variables);
  tell(fault, failed === undefined ? 'survived' : 'killed', failed ?? `${files.length} files`);
}
const rest = [...inTypeScript];
const lanes = Array.from({ length: availableParallelism() }, async () => {
  for (let fault = rest.shift(); fault !== undefined; fault = rest.shift())
    await judge(fault, testsOf(fault), { GSLS_FAULT: String(fault.id) });
});
await Promise.all(lanes);
for (const fault of inLua) {
  const text = read(fault.file);
  write(fault.file, replaced(fault, fault.after));
  await judge(fault, onRedis);
  write(fault.file, text);
}
for (const fault of faults.filter(({ at }) => at < 0)) tell(fault, 'gone');
process.stdout.write(`${counts.killed} killed, ${counts.survived} survived, ${counts.gone} gone\n`);
