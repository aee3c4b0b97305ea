/** The client for C: by the kit, by its own tests, by its README, and by how long it holds up a game. */

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { listen } from '../support/listen.ts';
import { codeOf, readDocument } from '../support/markdown.ts';
import { has, needs } from '../support/needs.ts';
import { ROOT } from '../support/program.ts';
import { until } from '../support/until.ts';
import { useDirectory } from '../support/use-directory.ts';
import { useService } from '../support/use-service.ts';
import { C_FOLDER, C, compileC, compileCpp, SANITIZED } from './support/c.ts';
import { judgeClient } from './support/judge-client.ts';

const run = promisify(execFile);
const SUPPORT = join(ROOT, 'test/clients/support/c');

judgeClient(C);

needs('gcc', 'g++', 'curl-config').describe('the client for C', function () {
  this.timeout(120_000);
  const newPath = useDirectory();

  for (const [language, compile] of Object.entries({ C99: compileC, 'C++11': compileCpp })) {
    it(`is ${language} without a warning, with libcurl and without`, async () => {
      for (const optimized of ['-O0', '-O2'])
        for (const options of [[], ['-DGSLS_NO_CURL']])
          await compile(optimized, ...options, '-c', '-o', newPath(), 'gsls.c');
    });

    it(`does what test.c says as ${language}, with nothing for the sanitizers to say`, async () => {
      const program = newPath();
      await compile(...SANITIZED, '-DGSLS_NO_CURL', '-o', program, 'test.c');
      const { stdout } = await run(program, { cwd: dirname(program) });
      expect(stdout.trim().split('\n'), stdout).to.satisfy((lines: string[]) =>
        lines.every((line) => line.startsWith('ok - ')),
      );
    });

    it(`exports what gsls.h declares, and nothing else, as ${language}`, async () => {
      const object = newPath();
      await compile('-c', '-o', object, 'gsls.c');
      const { stdout } = await run('nm', [
        '--defined-only',
        '--extern-only',
        '--format=just-symbols',
        object,
      ]);
      const declared = readDocument('clients/c/gsls.h').match(/\bgsls_\w+(?=\([^*)])/g)!;
      expect(stdout.trim().split('\n').toSorted()).to.deep.equal([...new Set(declared)].toSorted());
    });
  }

  it('links without libcurl where the game has a transport of its own', async () => {
    const program = newPath();
    await compileC('-DGSLS_NO_CURL', '-o', program, join(SUPPORT, 'own-transport.c'), 'gsls.c');
    const { stdout, stderr } = await run(program);
    expect(stdout.trim().split('\n')).to.deep.equal([
      'http://localhost/broadcast',
      'mine',
      'http://localhost/remove',
    ]);
    expect(stderr).to.equal(
      'GSLS: The game server is listed as mine.\nGSLS: The game server left the list, and the id mine is given up.\n',
    );
  });

  (has('cmake') ? it : it.skip)('is added to a game by CMake', async () => {
    const game = newPath();
    mkdirSync(game);
    writeFileSync(
      join(game, 'CMakeLists.txt'),
      `cmake_minimum_required(VERSION 3.13)
project(game LANGUAGES C)
add_subdirectory(${C_FOLDER} gsls)
add_executable(game ${join(C_FOLDER, 'example.c')})
target_link_libraries(game PRIVATE gsls::gsls)
`,
    );
    await run('cmake', ['-S', game, '-B', join(game, 'build')]);
    await run('cmake', ['--build', join(game, 'build')]);
    expect(statSync(join(game, 'build/game')).isFile()).to.equal(true);
  });

  describe('at a service', () => {
    const service = useService();

    const listed = async (): Promise<Record<string, unknown>[]> => {
      const answer = await fetch(`${service.url}/servers`);
      return ((await answer.json()) as { servers: Record<string, unknown>[] }).servers;
    };
    /** Until it is listed; then `end` is called, and it leaves the list and ends well. */
    const watchLife = async (program: ChildProcess, end: () => void): Promise<Record<string, unknown>> => {
      const exit = once(program, 'exit');
      const dependency = { ended: false, lines: [] as string[] };
      program.once('exit', () => (dependency.ended = true));
      program.stderr!.on('data', (data: Buffer) => dependency.lines.push(data.toString()));
      await until(async () => (await listed()).length === 1, dependency);
      const [server] = await listed();
      end();
      expect(await exit, dependency.lines.join('')).to.deep.equal([0, null]);
      expect(await listed()).to.deep.equal([]);
      expect(dependency.lines.join('')).to.match(
        /^GSLS: The game server is listed as (\S+)\.\nGSLS: The game server left the list, and its token keeps the id \1\.\n$/,
      );
      return server!;
    };

    it('does what the lines of its README say, compiled as that says', async () => {
      const code = codeOf(readDocument('clients/c/README.md'));
      const [lines, shell] = ['c', 'sh'].map(
        (wanted) => code.find(({ language }) => language === wanted)!.text,
      );
      const folder = newPath();
      mkdirSync(folder);
      for (const name of ['gsls.h', 'gsls.c'])
        writeFileSync(join(folder, name), readFileSync(join(C_FOLDER, name)));
      writeFileSync(
        join(folder, 'game.c'),
        `${readFileSync(join(SUPPORT, 'game.c'), 'utf8')}\n${lines!.replace('http://localhost:53600', service.url)}`,
      );
      await run('sh', ['-ec', shell!], { cwd: folder, env: { ...process.env, C_INCLUDE_PATH: SUPPORT } });

      const program = spawn(join(folder, 'game'), { cwd: folder });
      const server = await watchLife(program, () => program.stdin.end());
      expect(server).to.include({ name: 'Frankfurt 1', port: 7777, players: 7, map: 'de_dust2' });
      expect(server).to.deep.include({ tags: ['ranked'] });
      expect(statSync(join(folder, 'my.token')).mode & 0o777).to.equal(0o600);
    });

    it('has an example that is listed until it is ended', async () => {
      const example = newPath();
      await compileC(...SANITIZED, '-o', example, 'example.c', 'gsls.c', '-lcurl');
      const program = spawn(example, [service.url, newPath()]);
      const server = await watchLife(program, () => program.kill('SIGTERM'));
      expect(server).to.include({ name: 'Frankfurt 1', mode: 'bomb defusal' });
    });
  });

  it('goes through the proxy of the environment', async () => {
    const program = newPath();
    await compileC('-o', program, join(SUPPORT, 'loop.c'), 'gsls.c', '-lcurl');
    const asked: string[] = [];
    const proxy = createServer((socket) => {
      socket.once('data', (data) => {
        asked.push(data.toString().split('\r\n')[0]!);
        socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
      });
    });
    await listen(proxy, '127.0.0.1', 0);
    const { port } = proxy.address() as { port: number };
    const env = { ...process.env, http_proxy: `http://127.0.0.1:${port}`, no_proxy: '' };
    const { stdout } = await run(program, ['http://list.example/lists/eu', '300'], { env });
    proxy.close();
    expect(asked[0]).to.equal('POST http://list.example/lists/eu/broadcast HTTP/1.1');
    expect(stdout).to.match(/^The answer is none of GSLS \(502\)\. The next broadcast is in 1 s\.\n/);
  });

  describe('in the loop of a game', () => {
    /** Far more than a call takes on a busy machine, and far less than what is waited for. */
    const MOST_MS = 1500;
    let loop = '';
    let silent: Server;
    let port = 0;

    before(async () => {
      loop = newPath();
      await compileC('-o', loop, join(SUPPORT, 'loop.c'), 'gsls.c', '-lcurl');
      silent = createServer(() => undefined);
      await listen(silent, '127.0.0.1', 0);
      ({ port } = silent.address() as { port: number });
    });
    after(() => silent.close());

    const longestCall = async (url: string, environment: Record<string, string> = {}): Promise<number> => {
      const { stdout } = await run(loop, [url, '3000'], { env: { ...process.env, ...environment } });
      expect(stdout).to.match(/^The service did not answer: nothing came within 0\.2 s\./);
      return Number(/longest call: (\d+) ms/.exec(stdout)![1]);
    };

    it('returns at once while the service does not answer', async () => {
      expect(await longestCall(`http://127.0.0.1:${port}`)).to.be.below(MOST_MS);
    });

    it('returns at once while the service does not answer to a TLS handshake', async () => {
      expect(await longestCall(`https://127.0.0.1:${port}`)).to.be.below(MOST_MS);
    });

    it('returns at once while no nameserver answers', async () => {
      const library = newPath();
      await compileC('-shared', '-fPIC', '-D_GNU_SOURCE', '-o', library, join(SUPPORT, 'slow-names.c'));
      expect(await longestCall('http://slow.example', { LD_PRELOAD: library })).to.be.below(MOST_MS);
    });
  });
});
