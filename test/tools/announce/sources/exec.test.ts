/** Programs that say what a game server is: Node with a script, in the place of any. */

import { expect } from 'chai';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createExec, type ExecOptions } from '../../../../src/tools/announce/sources/exec.ts';
import type { Reading, Source } from '../../../../src/tools/announce/sources/game-state.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { needs } from '../../../support/needs.ts';
import { until } from '../../../support/until.ts';
import { useDirectory } from '../../../support/use-directory.ts';
import { sourceClock } from './use-peers.ts';

const NODE = process.execPath;

describe('a program', () => {
  const path = useDirectory();
  const forEver = new AbortController().signal;
  let clock: ManualClock;
  let sources: Source[];
  beforeEach(() => {
    clock = new ManualClock();
    sources = [];
  });
  afterEach(() => {
    for (const each of sources) each.close();
  });

  function create(command: readonly string[], options: Partial<ExecOptions> = {}): Source {
    const source = createExec(command, { timeoutMs: 3000, clock: sourceClock(clock), ...options });
    sources.push(source);
    return source;
  }
  const run = (script: string, options?: Partial<ExecOptions>): Promise<Reading> =>
    create([NODE, '-e', script], options).read(forEver);

  it('prints what the game server is, and is run anew for each read', async () => {
    const source = create([
      NODE,
      '-e',
      'console.log(JSON.stringify({ players: Number(process.argv[1]) }))',
      '7',
    ]);
    const told = { is: 'told', state: { players: 7 } };
    expect(await source.read(forEver)).to.deep.equal(told);
    expect(await source.read(forEver)).to.deep.equal(told);
    expect(clock.timers).to.equal(0);
  });

  it('is given its arguments as they are: no shell reads them', async () => {
    const file = path();
    const script = 'console.log(JSON.stringify({ map: process.argv[1] }))';
    expect(await create([NODE, '-e', script, `$(touch ${file}); *`]).read(forEver)).to.have.nested.property(
      'state.map',
      `$(touch ${file}); *`.slice(0, 64),
    );
    expect(existsSync(file)).to.equal(false);
  });

  it('has nothing to read, and the variables that it is given', async () => {
    const script = `process.stdin.on('data', () => 0).on('end', () => console.log(JSON.stringify({ map: process.env.A + process.env.B })))`;
    expect(await run(script, { env: { A: 'a' } })).to.have.nested.property('state.map', 'aundefined');
  });

  const UNUSABLE: Readonly<Record<string, string>> = {
    [`console.error('\\u001b[31mno such server\\nmore'); process.exit(3)`]:
      'ended with exit code 3: \\u{1b}[31mno such server',
    [`console.log('{}'); process.exit(1)`]: 'ended with exit code 1',
    [`console.log('players: 3')`]: 'says no JSON: players: 3',
    [`console.log('{"payers": 3}')`]: 'says an unknown field payers; did you mean players?',
    ['']: 'says nothing',
    [`process.stdout.write(Buffer.from([0x22, 0xff, 0x22]))`]: 'prints what is not UTF-8',
    ...(process.platform !== 'win32' && {
      [`process.kill(process.pid, 'SIGKILL')`]: 'ended by SIGKILL',
    }),
  };
  it('has to end well and to print JSON; else the first line of its own words says why', async () => {
    const readings = await Promise.all(Object.keys(UNUSABLE).map((script) => run(script)));
    expect(readings).to.deep.equal(
      Object.values(UNUSABLE).map((why) => ({ is: 'unusable', why: `${NODE} ${why}` })),
    );
  });

  it('may not print for ever', async () => {
    const file = path();
    const script = `process.stdout.on('error', () => process.exit()); setInterval(() => process.stdout.write('x'.repeat(1e5)), 1)`;
    expect(await run(writePid(file) + script)).to.deep.equal({
      is: 'unusable',
      why: `${NODE} prints more than 64 KiB`,
    });
    await until(() => isGone(pidIn(file)));
  });

  needs('POSIX').it('is killed when it neither ends in time nor heeds SIGTERM', async () => {
    const file = path();
    const reading = run(`process.on('SIGTERM', () => 0); ${writePid(file)} setInterval(() => 0, 1000)`);
    await until(() => pidIn(file) > 0);
    await clock.advance(3000);
    expect(await reading).to.deep.equal({ is: 'unusable', why: `${NODE} did not end within 3 s` });
    const pid = pidIn(file);
    expect(isGone(pid)).to.equal(false);
    await clock.advance(1000);
    await until(() => isGone(pid));
  });

  it('is killed at once when the source is closed', async () => {
    const file = path();
    const source = create([NODE, '-e', `${writePid(file)} setInterval(() => 0, 1000)`]);
    const reading = source.read(forEver);
    await until(() => pidIn(file) > 0);
    source.close();
    expect((await reading).is).to.equal('silent');
    await until(() => isGone(pidIn(file)));
  });

  it('has to be one', async () => {
    expect(await create(['gsls-no-such-program']).read(forEver)).to.deep.equal({
      is: 'unusable',
      why: 'gsls-no-such-program cannot be started: there is no such program',
    });
  });

  needs('POSIX').it('has to be one that may be run', async () => {
    const file = path();
    writeFileSync(file, 'x', { mode: 0o600 });
    expect(await create([file]).read(forEver)).to.deep.equal({
      is: 'unusable',
      why: `${file} cannot be started: this user may not run it`,
    });
  });
});

const writePid = (file: string): string =>
  `require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid));`;

/** 0 until it is written. */
const pidIn = (file: string): number => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
