/** The archive of the client for C: built, installed, and found by the build systems of games. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ask } from '../support/ask.ts';
import { needs } from '../support/needs.ts';
import { until } from '../support/until.ts';
import { useDirectory } from '../support/use-directory.ts';
import { useService } from '../support/use-service.ts';
import { VERSION } from './support/made-release.ts';
import { unpack } from './support/unpack.ts';

const run = promisify(execFile);

needs('cmake', 'gcc', 'curl-config', 'pkg-config').describe('the archive of the client for C', () => {
  const newPath = useDirectory();
  const service = useService();
  let sources: string;
  before(() => (sources = join(unpack('gsls-c-VERSION.tar.gz', newPath()), `gsls-c-${VERSION}`)));

  /** Builds the library and installs it. Resolves with the folder that has it. */
  async function install(...settings: readonly string[]): Promise<string> {
    const [build, prefix] = [newPath(), newPath()];
    await run('cmake', ['-S', sources, '-B', build, '-DCMAKE_INSTALL_LIBDIR=lib', ...settings]);
    await run('cmake', ['--build', build]);
    await run('cmake', ['--install', build, '--prefix', prefix]);
    return prefix;
  }

  /** A folder with a game that has nothing of GSLS. */
  function newGame(): string {
    const folder = newPath();
    mkdirSync(folder);
    cpSync(join(sources, 'example.c'), join(folder, 'game.c'));
    return folder;
  }

  /** Runs the game until it is listed, then ends it. */
  async function play(game: string, environment: Readonly<Record<string, string>> = {}): Promise<void> {
    const program = spawn(game, [service.url], { env: { ...process.env, ...environment } });
    const exit = once(program, 'exit');
    const seen = { ended: false, lines: [] as string[] };
    program.once('exit', () => (seen.ended = true));
    program.stderr.on('data', (data: Buffer) => seen.lines.push(data.toString()));
    await until(async () => (await ask(service, 'GET /')).body.servers!.length === 1, seen);
    program.kill('SIGTERM');
    expect(await exit, seen.lines.join('')).to.deep.equal([0, null]);
    expect((await ask(service, 'GET /')).body.servers).to.deep.equal([]);
  }

  for (const [kind, shared] of Object.entries({ static: 'OFF', shared: 'ON' }))
    describe(`built as a ${kind} library`, () => {
      let prefix: string;
      before(async () => (prefix = await install(`-DBUILD_SHARED_LIBS=${shared}`)));

      it('is found by CMake for a game that is listed', async () => {
        const game = newGame();
        writeFileSync(
          join(game, 'CMakeLists.txt'),
          `cmake_minimum_required(VERSION 3.13)
project(game LANGUAGES C)
find_package(gsls ${VERSION} REQUIRED)
add_executable(game game.c)
target_link_libraries(game PRIVATE gsls::gsls)
`,
        );
        const build = join(game, 'build');
        await run('cmake', ['-S', game, '-B', build, `-DCMAKE_PREFIX_PATH=${prefix}`]);
        await run('cmake', ['--build', build]);
        await play(join(build, 'game'));
      });

      it('is found by pkg-config for a game that is listed, also where it was moved', async () => {
        const game = newGame();
        const moved = newPath();
        cpSync(prefix, moved, { recursive: true, verbatimSymlinks: true });
        const env = { ...process.env, PKG_CONFIG_PATH: join(moved, 'lib/pkgconfig') };
        const version = await run('pkg-config', ['--modversion', 'gsls'], { env });
        expect(version.stdout).to.equal(`${VERSION}\n`);
        const compile = 'cc -o game game.c $(pkg-config --cflags --libs gsls)';
        await run('sh', ['-ec', compile], { cwd: game, env });
        await play(join(game, 'game'), { LD_LIBRARY_PATH: join(moved, 'lib') });
      });
    });

  it('has a shared library that programs load by its major version', async () => {
    const prefix = await install('-DBUILD_SHARED_LIBS=ON');
    const [major] = VERSION.split('.');
    expect(readlinkSync(join(prefix, `lib/libgsls.so.${major}`))).to.equal(`libgsls.so.${VERSION}`);
  });

  it('asks nobody for libcurl where it was built without it', async () => {
    const prefix = await install('-DGSLS_NO_CURL=ON');
    const env = { ...process.env, PKG_CONFIG_PATH: join(prefix, 'lib/pkgconfig') };
    const { stdout } = await run('pkg-config', ['--libs', '--static', 'gsls'], { env });
    expect(stdout).to.include('-lgsls').and.not.include('curl');
  });

  it('installs nothing beside a game that builds it within itself', async () => {
    const [game, prefix] = [newGame(), newPath()];
    writeFileSync(
      join(game, 'CMakeLists.txt'),
      `cmake_minimum_required(VERSION 3.13)
project(game LANGUAGES C)
add_subdirectory(${sources} gsls)
add_executable(game game.c)
target_link_libraries(game PRIVATE gsls::gsls)
install(TARGETS game)
`,
    );
    const build = join(game, 'build');
    await run('cmake', ['-S', game, '-B', build]);
    await run('cmake', ['--build', build]);
    const { stdout } = await run('cmake', ['--install', build, '--prefix', prefix]);
    expect(stdout.match(/Installing: (.*)/g)).to.deep.equal([`Installing: ${prefix}/bin/game`]);
  });
});
