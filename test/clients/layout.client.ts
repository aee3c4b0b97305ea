/** The folders of clients/: what whoever copies one finds in it, and the same words in all of them. */

import { existsSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { expect } from 'chai';
import { codeOf, readDocument } from '../support/markdown.ts';

interface Layout {
  /** In its folder: the file that says its version, and how. */
  readonly manifest: string;
  readonly version: RegExp;
  /** What no machine of the tests has, and the first paragraph of its README so says. */
  readonly notRun?: RegExp;
  /** The words that it does not have. */
  readonly lacks?: readonly string[];
}

const READING = ['list', 'find', 'nearest', 'watch', 'report'];
const IN_JSON = /^ *"version": "(.*)",$/m;

const CLIENTS: Readonly<Record<string, Layout>> = {
  // `fetch` of Node and of browsers takes no wrong certificate.
  typescript: { manifest: 'package.json', version: IN_JSON, lacks: ['insecure'] },
  python: { manifest: 'gsls/__init__.py', version: /^__version__ = "(.*)"$/m },
  csharp: { manifest: 'package.json', version: IN_JSON, notRun: /Unity/ },
  c: { manifest: 'gsls.h', version: /^#define GSLS_VERSION "(.*)"$/m, lacks: READING },
  godot: {
    manifest: 'addons/gsls/plugin.cfg',
    version: /^version="(.*)"$/m,
    lacks: READING,
    notRun: /Godot 4/,
  },
};

const ROOT = JSON.parse(readDocument('package.json')) as { readonly version: string };
const [, MINOR, MAJOR] = /^((\d+)\.\d+)\./.exec(ROOT.version)!;

const TEXTS = /\.(ts|mjs|js|py|cs|c|h|gd|md|json|toml|cfg|asmdef|txt)$/;
/** Whoever publishes a client says where; a client that names a place would send people there who got it elsewhere. */
const REGISTRIES = /(npmjs|pypi|pythonhosted|nuget|openupm|unpkg|jsdelivr|crates)\.(com|org|io|dev|net)/i;

function filesOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  );
  return names.filter((name) => !name.includes('node_modules/')).map((name) => posix.join(folder, name));
}

/** The names in the two lists of words, without parameters and the word before the dot. */
function wordsOf(): string[] {
  const [, words] = /## The words\n(.*?)\n## /s.exec(readDocument('docs/write-a-client.md'))!;
  const cells = [...words!.matchAll(/^- `([^`]+)`/gm)].map(([, cell]) => cell!);
  return cells.map((cell) => cell.replace(/^announcement\./, '').replace(/\(.*/, ''));
}

/** The word as any language writes it: `token_file`, `tokenFile`, `TokenFile`, and as the end of `gsls_token_file`. */
function inAnySpelling(word: string): RegExp {
  return new RegExp(`(?<![a-z])${word.replaceAll('_', '_?')}(?![a-z])`, 'i');
}

describe('the clients', () => {
  it('are those that are tested here', () => {
    const folders = readdirSync('clients', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name)).to.have.members(Object.keys(CLIENTS));
  });

  it('stand on their front page, each with its README', () => {
    const page = readDocument('clients/README.md');
    for (const name of Object.keys(CLIENTS)) expect(page).to.include(`](${name}/README.md)`);
  });

  for (const [name, { manifest, version, lacks = [], notRun }] of Object.entries(CLIENTS))
    describe(`in ${name}`, () => {
      const folder = `clients/${name}`;
      const read = (path: string): string => readDocument(`${folder}/${path}`);

      it('has the licence of GSLS', () => {
        expect(read('LICENSE')).to.equal(readDocument('LICENSE'));
      });

      it('has the version of GSLS, and says which services it goes with', () => {
        expect(version.exec(read(manifest))?.[1]).to.equal(ROOT.version);
        expect(read('README.md')).to.include(`GSLS ${MINOR} and later of ${MAJOR}.x`);
        expect(read('README.md')).to.include(ROOT.version);
      });

      it('has a README of one page, that leads to the rules', () => {
        const readme = read('README.md');
        expect(Buffer.byteLength(readme)).to.be.at.most(8_000);
        expect(readme).to.include('../../docs/write-a-client.md');
        expect(readme).to.match(/\bMIT\b/);
        expect(codeOf(readme).some(({ language }) => language !== undefined)).to.equal(true);
      });

      if (notRun !== undefined)
        it('says first of all what was not run', () => {
          const first = read('README.md').split('\n\n')[1]!;
          expect(first)
            .to.match(/not (been )?run/)
            .and.to.match(notRun);
        });

      it('has the words of all clients', () => {
        const sources = filesOf(folder).filter((path) => /\.(ts|py|cs|h|gd)$/.test(path));
        const text = sources.map(readDocument).join('\n');
        for (const word of wordsOf().filter((each) => !lacks.includes(each)))
          expect(inAnySpelling(word).test(text), word).to.equal(true);
      });

      it('has their defaults in its README', () => {
        expect(read('README.md')).to.match(/timeout.*\b5(\.0|,?000)?\b/i);
      });

      it('names no registry', () => {
        const naming = filesOf(folder).filter(
          (path) => TEXTS.test(path) && REGISTRIES.test(readDocument(path)),
        );
        expect(naming).to.deep.equal([]);
      });
    });
});

describe('the package for Unity', () => {
  const folder = 'clients/csharp';

  it('has the parts that its manifest and Unity expect', () => {
    const manifest = JSON.parse(readDocument(`${folder}/package.json`)) as {
      readonly name: string;
      readonly unity: string;
      readonly samples?: readonly { readonly path: string }[];
    };
    expect(manifest.name).to.match(/^[a-z\d-]+(\.[a-z\d-]+){2,}$/);
    expect(manifest.unity).to.match(/^\d{4}\.\d$/);
    for (const { path } of manifest.samples ?? [])
      expect(existsSync(`${folder}/${path}`), path).to.equal(true);
    expect(manifest.samples?.every(({ path }) => path.startsWith('Samples~/'))).to.equal(true);
    expect(readdirSync(`${folder}/Runtime`).filter((name) => name.endsWith('.asmdef'))).to.have.length(1);
  });
});

describe('the addon for Godot', () => {
  const folder = 'clients/godot';
  const addon = `${folder}/addons/gsls`;

  it('has the files that its scripts name', () => {
    const scripts = filesOf(addon).filter((path) => path.endsWith('.gd'));
    const named = scripts.flatMap((path) => readDocument(path).match(/(?<=")res:\/\/[^"]+/g) ?? []);
    expect(named).to.have.length.above(0);
    for (const path of named) expect(existsSync(path.replace('res://', `${folder}/`)), path).to.equal(true);
    const [, script] = /^script="(.*)"$/m.exec(readDocument(`${addon}/plugin.cfg`))!;
    expect(scripts).to.include(`${addon}/${script}`);
  });

  it('takes its licence with it, and overwrites no file of a game', () => {
    expect(readDocument(`${addon}/LICENSE`)).to.equal(readDocument('LICENSE'));
    const attributes = readDocument(`${folder}/.gitattributes`)
      .split('\n')
      .map((line) => line.split(/\s+/).join(' '));
    expect(attributes).to.include.members([
      '/** export-ignore',
      '/addons !export-ignore',
      '/addons/** !export-ignore',
    ]);
  });
});
