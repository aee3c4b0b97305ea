/** The map in src/README.md against the folders, and the house against its own rules. */

import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { readDocument } from '../support/markdown.ts';

interface Import {
  readonly path: string;
  readonly imported: string;
}

const { ORDER, filesInCircles, importsUpwards } = (await import(
  new URL('../../scripts/arrows.mjs', import.meta.url).href
)) as {
  readonly ORDER: readonly string[];
  readonly filesInCircles: () => readonly string[];
  readonly importsUpwards: () => readonly Import[];
};

const CLIENT = 'clients/typescript/src';
const EXPORT = /^export (?:abstract )?(?:async )?(?:class|function\*?|const|interface|type) (\w+)/gm;
const FOLDERS = ['src', CLIENT].flatMap((root) => [
  root,
  ...readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.replaceAll('\\', '/')),
]);

/** The files of a folder itself, as paths. */
function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => `${folder}/${name}`);
}

describe('the map of the source', () => {
  const [, block = ''] = /^```\n(.*?)^```/ms.exec(readDocument('src/README.md'))!;
  const rooms = block
    .split(/^(?=\S)/m)
    .map((wing) => wing.trimEnd().split('\n'))
    .map(([first = '', ...rest]) => ({
      wing: first.split(/ {2,}/)[0]!.replace(/\/?$/, ''),
      rooms: rest.map((line) => line.trim().split('/')[0]!),
    }));

  it('has the wings in the order in which they may import', () => {
    expect([...rooms.map(({ wing }) => wing), 'cli']).to.deep.equal(ORDER);
  });

  it('has every folder of a wing, and no other', () => {
    for (const { wing, rooms: named } of rooms) {
      const path = wing === CLIENT ? CLIENT : `src/${wing}`;
      const there = FOLDERS.filter((folder) => folder.slice(0, folder.lastIndexOf('/')) === path);
      expect(named, wing).to.have.members(there.map((folder) => folder.slice(path.length + 1)));
    }
  });
});

describe('the house', () => {
  it('has no import upwards', () => {
    expect(importsUpwards().map(({ path, imported }) => `${path} imports ${imported}`)).to.deep.equal([]);
  });

  it('has no circle of files, types and later loading included', () => {
    expect(filesInCircles()).to.deep.equal([]);
  });

  it('has two files and nine wings at the top', () => {
    expect(filesOf('src').filter((path) => path.endsWith('.ts'))).to.have.length(2);
    expect(ORDER).to.have.length.at.most(10);
  });

  it('ends its configuration in the service', () => {
    const naming = FOLDERS.flatMap(filesOf)
      .filter((path) => !path.startsWith('src/service/'))
      .filter((path) => /import [^;]*\bConfig\b[^;]* from '[^']*\/config\.ts'/.test(readDocument(path)));
    // The commands that take the options of a service hand them on.
    const commands = ['src/command-line.ts', 'src/tools/moderate/moderate.ts', 'src/tools/demo/demo.ts'];
    expect(naming).to.have.members(commands);
  });

  it('has hardly a name that two files export', () => {
    const files = new Map<string, string[]>();
    for (const path of FOLDERS.flatMap(filesOf).filter((each) => /(?<!\.d)\.tsx?$/.test(each)))
      for (const [, name] of readDocument(path).matchAll(EXPORT))
        files.set(name!, [...(files.get(name!) ?? []), path]);
    expect([...files].filter(([, paths]) => paths.length > 1)).to.have.length.at.most(12);
  });

  it('has no folder with more than 20 files', () => {
    expect(FOLDERS.filter((folder) => filesOf(folder).length > 20)).to.deep.equal([]);
  });

  it('has no file of more than 250 lines, but for texts of the page, errors and what is generated', () => {
    const exempt = ['src/model/errors.ts', 'src/model/view/api.d.ts'];
    const long = FOLDERS.filter((folder) => folder !== 'src/page/texts')
      .flatMap(filesOf)
      .filter((path) => !exempt.includes(path) && readDocument(path).split('\n').length > 251);
    expect(long).to.deep.equal([]);
  });
});
