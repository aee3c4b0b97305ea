/** What npm packs: all that a user needs who has no clone, and nothing more. */

import { exec } from 'node:child_process';
import { posix } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { linksOf, readDocument } from '../../support/markdown.ts';
import { needs } from '../../support/needs.ts';
import { ROOT } from '../../support/program.ts';

/** As npm describes a package, of which it has a list. */
interface Pack {
  /** Of the tarball, in bytes. */
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

needs('npm').describe('the package', function () {
  this.timeout(120_000);
  let size: number;
  let paths: string[];

  before(async () => {
    // By a shell, as npm is a script on Windows.
    const { stdout } = await promisify(exec)('npm pack --dry-run --json --ignore-scripts', { cwd: ROOT });
    const [pack] = Object.values(JSON.parse(stdout) as Record<string, Pack>);
    size = pack!.size;
    paths = pack!.files.map(({ path }) => path);
  });

  it('has the program, documents, clients, examples and what deploys it, and no sources or tests', () => {
    expect([...new Set(paths.map((path) => path.split('/')[0]))]).to.have.members([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'clients',
      'deploy',
      'dist',
      'docs',
      'examples',
      'package.json',
    ]);
    expect(paths).to.include.members(['dist/cli.js', 'dist/page/files.json', 'dist/page/LICENSES.txt']);
  });

  it('has no source maps, no types and no hidden files', () => {
    expect(paths.filter((path) => /\.map$|\.ts$|(?:^|\/)\./.test(path))).to.deep.equal([]);
  });

  it('has the clients and the examples to which its documents lead', () => {
    const documents = paths.filter((path) => /^(README\.md|docs\/.*\.md)$/.test(path));
    const linked = documents.flatMap((path) =>
      linksOf(readDocument(path))
        .filter((link) => !/^([a-z]+:|#)/.test(link))
        .map((link) => posix.join(posix.dirname(path), link.split('#')[0]!).replace(/\/$/, '')),
    );
    const wanted = linked.filter((path) => /^(clients|examples)\//.test(path));
    expect(wanted).to.have.length.above(0);
    const missing = wanted.filter(
      (path) => !paths.some((each) => each === path || each.startsWith(`${path}/`)),
    );
    expect([...new Set(missing)]).to.deep.equal([]);
  });

  it('has of Swagger UI the files that are served, and their licences', () => {
    expect(paths.filter((path) => path.includes('swagger-ui'))).to.have.members(
      ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui.css'].map(
        (name) => `dist/swagger-ui/${name}`,
      ),
    );
  });

  it('has the pictures of its documents, and no others', () => {
    const shown = paths
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) => linksOf(readDocument(path)).map((link) => posix.join(posix.dirname(path), link)))
      .filter((path) => /\.(?:png|svg)$/.test(path));
    expect(paths.filter((path) => /^docs\/.*\.(?:png|svg)$/.test(path))).to.have.members([...new Set(shown)]);
  });

  it('is at most 2 MB', () => {
    expect(size).to.be.at.most(2_000_000);
  });
});
