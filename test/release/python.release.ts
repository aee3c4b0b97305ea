/** The packages of the client for Python, as pip installs them without a network. */

import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { codeOf, readDocument } from '../support/markdown.ts';
import { needs } from '../support/needs.ts';
import { useDirectory } from '../support/use-directory.ts';
import { useService } from '../support/use-service.ts';
import { madeFile, VERSION } from './support/made-release.ts';
import { unpack } from './support/unpack.ts';

const run = promisify(execFile);
/** Debian's, for which Debian has setuptools and venv. The python3 of the PATH may be another. */
const PYTHON = '/usr/bin/python3';

/** What the program of the README leaves to the game: it runs until it has seen itself in the list. */
const GAME = `
import importlib.metadata
import gsls
class game:
    @staticmethod
    def runs():
        servers = gsls.list(URL).servers
        for server in servers: print("lists", server["name"])
        return not servers
    count_players = staticmethod(lambda: 5)
print(importlib.metadata.version("gsls-client"), gsls.__file__)
`;

needs('python3').describe('the packages of the client for Python', () => {
  const newPath = useDirectory();
  const service = useService();
  const program = codeOf(readDocument('clients/python/README.md')).find(
    ({ language }) => language === 'python',
  )!;

  for (const [kind, file, venv, install] of [
    ['wheel', 'gsls_client-VERSION-py3-none-any.whl', [], []],
    // It is built with the setuptools of Debian: pip would get one of its own.
    [
      'archive of the sources',
      'gsls_client-VERSION.tar.gz',
      ['--system-site-packages'],
      ['--no-build-isolation'],
    ],
  ] as const)
    it(`are a ${kind} with which the program of the README is listed`, async () => {
      const home = newPath();
      await run(PYTHON, ['-m', 'venv', ...venv, home]);
      const python = join(home, 'bin/python');
      const offline = ['--no-index', '--no-deps', '--disable-pip-version-check', ...install];
      await run(python, ['-m', 'pip', 'install', '--quiet', ...offline, madeFile(file)]);
      const game = join(home, 'game');
      mkdirSync(game);
      const text = `${GAME}${program.text}`.replaceAll('"http://localhost:53600"', 'URL');
      const { stdout } = await run(python, ['-c', `URL = "${service.url}"\n${text}`], { cwd: game });
      expect(stdout).to.match(/^(\S+) (\S+)\nlists Frankfurt 1\n$/);
      const [version, path] = stdout.split('\n')[0]!.split(' ');
      expect(version).to.equal(VERSION);
      expect(path!.startsWith(home)).to.equal(true);
    });

  it('say where the client comes from, and what it needs', () => {
    const sources = unpack('gsls_client-VERSION.tar.gz', newPath());
    const said = readFileSync(join(sources, `gsls_client-${VERSION}/PKG-INFO`), 'utf8');
    const addresses = JSON.parse(readDocument('release.json')) as Record<string, string>;
    expect(said)
      .to.include(`\nName: gsls-client\nVersion: ${VERSION}\n`)
      .and.include('\nRequires-Python: >=3.8\n')
      .and.include(`\nProject-URL: Homepage, ${addresses['homepage']}\n`)
      .and.include(`\nProject-URL: Repository, ${addresses['repository']}\n`)
      .and.include(`\nProject-URL: Issues, ${addresses['bugs']}\n`)
      .and.include('\n# The GSLS client for Python\n');
  });
});
