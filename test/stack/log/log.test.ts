/** A log that is full, gone or read by nothing, under a real process: it costs lines, never an answer. */

import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { Agent } from 'node:http';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import { ask } from '../../support/ask.ts';
import { until } from '../../support/until.ts';
import { freePort } from '../../support/free-port.ts';
import { needs } from '../../support/needs.ts';
import { startCli, type Cli } from '../../support/start-cli.ts';
import { useDirectory } from '../../support/use-directory.ts';

/** A request for it logs about 7,000 characters, so that a thousand of them fill every buffer. */
const LONG_PATH = `/${'x'.repeat(7000)}`;
const MANY = 800;

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
async function logMany(service: Service, count = MANY): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  for (let i = 0; i < count; i += 20)
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

/** A named pipe that is read when the test wants to. */
class NamedPipe {
  readonly path: string;
  #text = '';
  #descriptor: number;
  readonly #buffer = Buffer.alloc(65_536);

  constructor(path: string) {
    execFileSync('mkfifo', [path]);
    this.path = path;
    this.#descriptor = this.#open();
  }

  /** What was read so far, with what there is to read now. */
  read(): string {
    for (;;) {
      const count = this.#readSome();
      if (count === 0) return this.#text;
      this.#text += this.#buffer.toString('latin1', 0, count);
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  reopen(): void {
    this.#descriptor = this.#open();
  }

  #open(): number {
    return openSync(this.path, constants.O_RDONLY | constants.O_NONBLOCK);
  }

  #readSome(): number {
    try {
      return readSync(this.#descriptor, this.#buffer);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
      throw error;
    }
  }
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

  for (const format of ['json', 'pretty']) {
    it(`a log in ${format} that no program reads loses lines, and says how many once it is read`, async () => {
      const pipe = new NamedPipe(newPath());
      const service = await start(pipe.path, format);
      await logMany(service);
      const dropped = await droppedBy(service);
      expect(dropped).to.be.within(1, 2 * MANY - 1);
      await until(() => pipe.read().includes('log lines were dropped here'));
      await expectEnd(service, 'SIGINT', 0);
      const text = pipe.read();
      expect(linesIn(text)).to.equal(2 * MANY - dropped);
      // That of the request for the metrics may be missing as well.
      expect(missingIn(text)).to.be.within(dropped, dropped + 1);
      expect(text).to.match(/stopped"?\}?\n$/);
      pipe.close();
    });

    it(`a log in ${format} whose reader goes away loses lines, and goes on with the next reader`, async () => {
      const pipe = new NamedPipe(newPath());
      const service = await start(pipe.path, format);
      pipe.close();
      await logMany(service);
      expect(await droppedBy(service)).to.be.within(1, 2 * MANY - 1);
      pipe.reopen();
      await until(() => pipe.read().includes('log lines were dropped here'));
      pipe.close();
      await expectEnd(service, 'SIGINT', 0);
    });
  }

  needs('prlimit').it('a log on a full disk goes on by itself, with no line torn', async () => {
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
    await expectEnd(service, 'SIGINT', 0);
    const text = readFileSync(path, 'utf8');
    expect(parse(text).filter(({ level }) => level === 50)).to.have.lengthOf(1);
    expect(linesIn(text)).to.equal(2 * MANY - dropped);
    expect(missingIn(text)).to.be.within(dropped, dropped + 1);
  });

  needs('Linux').it('a log on a full device costs no answer', async () => {
    const service = await start('/dev/full');
    await logMany(service);
    expect(await droppedBy(service)).to.be.within(1, 2 * MANY - 1);
    await expectEnd(service, 'SIGINT', 0);
  });

  it('a log that is read or stored has every line, to the last one before the end', async () => {
    for (const pipe of [undefined, new NamedPipe(newPath())]) {
      const path = pipe?.path ?? newPath();
      const service = await start(path);
      const reading = setInterval(() => pipe?.read(), 1);
      // All of it fits into the buffer, so that a slow reader on a busy machine loses nothing.
      await logMany(service, 300);
      expect(await droppedBy(service)).to.equal(0);
      await expectEnd(service, 'SIGINT', 0);
      clearInterval(reading);
      const text = pipe?.read() ?? readFileSync(path, 'utf8');
      pipe?.close();
      expect(linesIn(text)).to.equal(2 * 300);
      expect(parse(text).at(-1)!.msg).to.equal('stopped');
    }
  });

  it('an unexpected error is the last line of the log', async () => {
    const path = newPath();
    await expectEnd(await start(path), 'SIGUSR2', 1);
    expect(parse(readFileSync(path, 'utf8')).at(-1)).to.include({
      level: 60,
      msg: 'unexpected error, exiting',
    });
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
