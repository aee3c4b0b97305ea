/**
 * A log that is full, gone or read by nothing, under a real process: it costs lines, never an answer, and does not keep
 * the process alive. Which lines it costs in each format: test/runtime/log/lost-lines.test.ts.
 */

import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { Agent } from 'node:http';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { ask } from '../../../support/ask.ts';
import { until } from '../../../support/until.ts';
import { freePort } from '../../../support/free-port.ts';
import { NamedPipe } from '../../../support/named-pipe.ts';
import { needs } from '../../../support/needs.ts';
import { startCli, type Cli } from '../../../support/start-cli.ts';
import { useDirectory } from '../../../support/use-directory.ts';

/** A request for it logs about 7,000 characters, so that so many of them fill every buffer. */
const LONG_PATH = `/${'x'.repeat(7000)}`;
const MANY = 700;

/** Loaded into the process, makes SIGUSR2 a defect. */
const DEFECT_AT_SIGUSR2 = `data:text/javascript,process.on('SIGUSR2',()=>{throw new Error('boom')})`;

interface Service extends Cli {
  readonly url: string;
}

interface Line {
  readonly msg: string;
  readonly level: number;
  readonly count?: number;
}

/** Starts a replica that logs each refused request to the file. Resolves once it answers. */
async function startLogging(path: string, format: string, onTerminal: boolean): Promise<Service> {
  const port = await freePort();
  const stdout = openSync(path, 'a');
  const args = [
    '--host',
    '127.0.0.1',
    '--port',
    `${port}`,
    '--log-level',
    'debug',
    '--log-format',
    format,
    '--drain-delay',
    '300',
  ];
  const nodeArgs = onTerminal ? [] : ['--import', DEFECT_AT_SIGUSR2];
  const cli = startCli(args, {}, { stdout, onTerminal, nodeArgs });
  closeSync(stdout);
  const url = `http://127.0.0.1:${port}`;
  const answers = (): Promise<boolean> =>
    ask({ url }, 'GET /health').then(
      () => true,
      () => false,
    );
  await until(answers);
  return { ...cli, url };
}

/** Has many requests refused, each of which is logged by two lines: the refusal, and the answer. */
async function logMany(service: Service): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  for (let i = 0; i < MANY; i += 20)
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        expect((await ask(service, `GET ${LONG_PATH}`, { agent })).status).to.equal(404);
      }),
    );
  agent.destroy();
}

async function droppedBy({ url }: Service): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^gsls_log_lines_dropped_total (\d+)$/m.exec(text)![1]);
}

/** How many lines the log says are missing, in one place. */
function missingIn(text: string): number {
  const counts = [...text.matchAll(/"?count"?: ?(\d+)\b/g)].map(([, count]) => Number(count));
  expect(counts).to.have.lengthOf(1);
  return counts[0]!;
}

/** How many lines of refused requests there are. */
function linesIn(text: string): number {
  return text.match(/"?code"?: ?"not_found"/g)!.length;
}

/** Lines of JSON, all of them whole. */
function parse(text: string): Line[] {
  expect(text).to.match(/\n$/);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

needs('POSIX').describe('a log', function () {
  this.timeout(120_000);
  const newPath = useDirectory();
  const running: Service[] = [];
  afterEach(async () => {
    for (const service of running) service.kill('SIGKILL');
    await Promise.all(running.splice(0).map(({ exited }) => exited));
  });

  async function start(path: string, format = 'json', onTerminal = false): Promise<Service> {
    const service = await startLogging(path, format, onTerminal);
    running.push(service);
    return service;
  }

  async function expectEnd(service: Service, signal: NodeJS.Signals, code: number): Promise<void> {
    service.kill(signal);
    expect(await service.exited).to.deep.equal({ code, stdout: '', stderr: '' });
  }

  it('a log that no program reads, or whose reader goes away, loses lines, and says how many to the next reader', async () => {
    const pipe = new NamedPipe(newPath());
    const service = await start(pipe.path);
    await logMany(service);
    const dropped = await droppedBy(service);
    expect(dropped).to.be.within(1, 2 * MANY - 1);
    await until(() => pipe.read().includes('log lines were dropped here'));
    pipe.close();
    await logMany(service);
    const droppedLater = (await droppedBy(service)) - dropped;
    expect(droppedLater).to.be.within(1, 2 * MANY);
    pipe.reopen();
    await until(() => pipe.read().match(/log lines were dropped here/g)?.length === 2);
    await expectEnd(service, 'SIGINT', 0);
    expect(pipe.read()).to.match(/"stopped"\}\n$/);
    pipe.close();
  });

  needs('prlimit').it(
    'a log on a full disk goes on by itself, with no line torn, and an unexpected error is its last one',
    async () => {
      // Of util-linux; sets how large the files of a process may be.
      const path = newPath();
      const service = await start(path);
      const limitFiles = (bytes: number | 'unlimited'): void => {
        execFileSync('prlimit', ['--pid', `${service.pid}`, `--fsize=${bytes}:`]);
      };
      limitFiles(10_000);
      await logMany(service);
      const dropped = await droppedBy(service);
      expect(dropped).to.be.within(1, 2 * MANY - 1);
      expect(readFileSync(path)).to.have.lengthOf(10_000);

      limitFiles('unlimited');
      await until(() => readFileSync(path, 'utf8').includes('log lines were dropped here'));
      await expectEnd(service, 'SIGUSR2', 1);
      const text = readFileSync(path, 'utf8');
      expect(parse(text).filter(({ level }) => level === 50)).to.have.lengthOf(1);
      expect(parse(text).at(-1)).to.include({ level: 60, msg: 'unexpected error, exiting' });
      expect(linesIn(text)).to.equal(2 * MANY - dropped);
      expect(missingIn(text)).to.be.within(dropped, dropped + 1);
    },
  );

  needs('Linux').it('a log on a full device costs no answer', async () => {
    const service = await start('/dev/full');
    await logMany(service);
    expect(await droppedBy(service)).to.be.within(1, 2 * MANY - 1);
    await expectEnd(service, 'SIGINT', 0);
  });

  it('a log that no program reads does not keep the process alive after an unexpected error, nor after a second signal', async () => {
    const pipe = new NamedPipe(newPath());
    const [failing, stopping] = [await start(pipe.path), await start(pipe.path)];
    await logMany(failing);
    await expectEnd(failing, 'SIGUSR2', 1);
    stopping.kill('SIGTERM');
    await until(async () => (await ask(stopping, 'GET /health')).status === 503);
    await expectEnd(stopping, 'SIGTERM', 1);
    pipe.close();
  });

  needs('script').it('a log on a stopped terminal costs no answer', async () => {
    const pipe = new NamedPipe(newPath());
    const service = await start(pipe.path, 'pretty', true);
    await logMany(service);
    expect(await droppedBy(service)).to.be.within(1, 2 * MANY - 1);
    pipe.close();
  });
});
