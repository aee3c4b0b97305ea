/** The client for Python: what the kit judges, its syntax, its package, its README, and its own tests. */

import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { judge } from '../../src/tools/conformance/judge.ts';
import { SCENES } from '../../src/tools/conformance/scenes/scenes.ts';
import { codeOf, readDocument } from '../support/markdown.ts';
import { needs } from '../support/needs.ts';
import { useDirectory } from '../support/use-directory.ts';
import { useService } from '../support/use-service.ts';
import { judgeClient } from './support/judge-client.ts';
import { PYTHON } from './support/python.ts';

const CLIENT = fileURLToPath(new URL('../../clients/python/', import.meta.url));
const TESTS = fileURLToPath(new URL('python/', import.meta.url));
const SOURCES = [
  join(CLIENT, 'gsls/__init__.py'),
  join(CLIENT, 'conformance.py'),
  join(TESTS, 'test_gsls.py'),
];
const { version } = JSON.parse(readDocument('package.json')) as { version: string };

/** Resolves with what it prints, once it has ended well. Warnings are errors, and no cache is written. */
async function python(args: readonly string[], { path = CLIENT, cwd = TESTS } = {}): Promise<string> {
  const env = { ...process.env, PYTHONPATH: path, GSLS_KEY: undefined };
  const strict = ['-B', '-X', 'dev', '-W', 'error'];
  const { stdout, stderr } = await promisify(execFile)('python3', [...strict, ...args], { cwd, env });
  return stdout + stderr;
}

judgeClient(PYTHON);

/** Whether Python has all that pip needs to build a package without a network. */
function canBuildWithPip(): boolean {
  const wheel = 'try: import setuptools.command.bdist_wheel\nexcept ImportError: import wheel';
  return spawnSync('python3', ['-c', `import pip, setuptools\n${wheel}`]).status === 0;
}

needs('python3').describe('clients/python', function () {
  this.timeout(120_000);
  const newPath = useDirectory();

  it('keeps to the syntax of Python 3.8', async () => {
    const program =
      'import ast, sys\nfor path in sys.argv[1:]: ast.parse(open(path).read(), feature_version=(3, 8))';
    await python(['-c', program, ...SOURCES]);
  });

  it('is imported without a word, and starts nothing', async () => {
    const program = 'import gsls, threading; print(gsls.__version__, threading.active_count())';
    expect(await python(['-c', program])).to.equal(`${version} 1\n`);
  });

  it('works as one file that was copied', async () => {
    const game = newPath();
    mkdirSync(game);
    cpSync(join(CLIENT, 'gsls/__init__.py'), join(game, 'gsls.py'));
    const printed = await python(['-c', 'import gsls; print(gsls.__file__)'], { path: game });
    expect(printed).to.equal(`${join(game, 'gsls.py')}\n`);
  });

  it('ends at a signal that does not interrupt the reading of its conformance program', async () => {
    // The system gives the signal to a thread that does not read, as it may come just before a read begins.
    const program = [
      'import runpy, signal, sys, threading, time',
      'threading.Thread(target=time.sleep, args=(60,), daemon=True).start()',
      'signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])',
      'runpy.run_path(sys.argv[1], run_name="__main__")',
    ].join('\n');
    const [interpreter] = await PYTHON.build('');
    const command = [interpreter!, '-B', '-c', program, join(CLIENT, 'conformance.py')];
    const scenes = SCENES.filter(({ name }) => name === 'sigterm');
    const options = { scenes, isReal: false, atOnce: 1, onVerdict: () => undefined };
    const { verdicts } = await judge({ ...options, command: ['env', `PYTHONPATH=${CLIENT}`, ...command] });
    expect(verdicts.map(({ result, outcome }) => [result, outcome?.failure])).to.deep.equal([
      ['passed', undefined],
    ]);
  });

  it('passes its own tests', async () => {
    expect(await python(['-m', 'unittest', 'test_gsls'])).to.match(/^OK$/m);
  });

  const [itInstalls, why] = canBuildWithPip() ? [it, ''] : [it.skip, ' (pending: needs pip and setuptools)'];
  itInstalls(`is installed with its types from its folder, without a network${why}`, async () => {
    const [sources, target] = [newPath(), newPath()];
    // The build writes into the folder.
    cpSync(CLIENT, sources, { recursive: true });
    const offline = ['--no-build-isolation', '--no-index', '--no-deps', '--disable-pip-version-check'];
    await promisify(execFile)('python3', [
      '-m',
      'pip',
      'install',
      '--quiet',
      ...offline,
      '--target',
      target,
      sources,
    ]);
    expect(readdirSync(target)).to.include.members(['gsls', `gsls_client-${version}.dist-info`]);
    expect(readdirSync(join(target, 'gsls'))).to.include.members(['__init__.py', 'py.typed']);
    expect(await python(['-c', 'import gsls; print(gsls.__version__)'], { path: target })).to.equal(
      `${version}\n`,
    );
  });

  describe('its README', () => {
    const service = useService();
    const [announcing, reading, both, ending] = codeOf(readDocument('clients/python/README.md'))
      .filter(({ language }) => language === 'python')
      .map(({ text }) => text);

    /** Runs this code with the service in it, and with what it leaves to the game. */
    async function play(code: string, game: string): Promise<string> {
      const cwd = newPath();
      mkdirSync(cwd);
      const program = `${game}\n${code}`.replaceAll('http://localhost:53600', service.url);
      return python(['-c', program], { cwd });
    }
    const showOnce = `
def show(servers):
    for server in servers:
        print("shows", server["name"], server["region"])
        raise SystemExit
`;

    it('has lines that list a game server until the game ends', async () => {
      const game = `
class game:
    @staticmethod
    def runs():
        servers = gsls.list("http://localhost:53600").servers
        for server in servers: print("lists", server["name"])
        return not servers

    count_players = staticmethod(lambda: 5)
`;
      expect(await play(announcing!, game)).to.match(
        /^lists Frankfurt 1\nGSLS: The game server is listed as (\S+)\.\nGSLS: .* its token keeps the id \1\.\n$/,
      );
      expect(await play('import gsls; print(gsls.list("http://localhost:53600").servers)', '')).to.equal(
        '[]\n',
      );
    });

    it('has lines that follow the list', async () => {
      await service.broadcast({ server_name: 'Frankfurt 2', region: 'eu' });
      expect(await play(reading!, showOnce)).to.equal('shows Frankfurt 2 eu\n');
    });

    it('has lines that do both with asyncio', async () => {
      await service.broadcast({ server_name: 'Frankfurt 2', region: 'eu' });
      const fields = announcing!.slice(announcing!.indexOf('fields'), announcing!.indexOf('with'));
      // The game ends once it is listed: before, there may be nothing to say.
      const game = `
import gsls
announce = gsls.announce
def noted(*args):
    global announced
    announced = announce(*args)
    return announced
gsls.announce = noted
${showOnce.replace('    for server', '    while announced.state != "listed": pass\n    for server')}`;
      expect(await play(both!, `${game}\n${fields}`)).to.match(
        /^shows Frankfurt 2 eu\n(GSLS: The game server .*\n){2}$/,
      );
    });

    it('has a line that lists no game server beyond SIGTERM', async () => {
      const game = `import gsls, os\na = gsls.announce("http://localhost:53600", {"server_host": "a", "server_name": "b",
        "server_port": 1, "players": 0, "max_players": 1})\nwhile a.state != "listed": pass`;
      const ends = `${ending!}\nos.kill(os.getpid(), signal.SIGTERM)`;
      expect(await play(ends, game)).to.match(/^GSLS: The game server left the list/m);
    });
  });
});
