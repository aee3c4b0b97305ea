/** The archives of the clients for engines and for .NET, as far as they go without any of these. */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { needs } from '../support/needs.ts';
import { useDirectory } from '../support/use-directory.ts';
import { VERSION } from './support/made-release.ts';
import { filesIn, unpack } from './support/unpack.ts';

const run = promisify(execFile);
const ADDRESSES = JSON.parse(readFileSync('release.json', 'utf8')) as Readonly<Record<string, string>>;

describe('the package for Unity', () => {
  const newPath = useDirectory();
  let folder: string;
  before(() => (folder = join(unpack('com.gsls.client-VERSION.tgz', newPath()), 'package')));

  it('has a .meta for all that Unity sees, and no other', () => {
    const visible = filesIn(folder).filter((path) => !path.includes('~/'));
    const files = visible.filter((path) => !path.endsWith('.meta'));
    const folders = [...new Set(files.map(dirname))].filter((path) => path !== '.');
    const metas = visible.filter((path) => path.endsWith('.meta'));
    expect(metas).to.have.members([...files, ...folders].map((path) => `${path}.meta`));
  });

  it('has the sources and the samples, and nothing that a game does not need', () => {
    expect(readdirSync(folder).filter((name) => !name.endsWith('.meta'))).to.have.members([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'Runtime',
      'Samples~',
      'package.json',
    ]);
    const sources = filesIn('clients/csharp/Runtime').map((path) => `Runtime/${path}`);
    expect(filesIn(folder)).to.include.members(sources);
  });

  it('has a manifest that says where it comes from, and names samples that are there', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly samples: readonly { readonly path: string }[];
      readonly repository: { readonly url: string };
    };
    expect(manifest).to.include({
      name: 'com.gsls.client',
      version: VERSION,
      homepage: ADDRESSES['homepage'],
    });
    expect(manifest.repository.url).to.equal(`git+${ADDRESSES['repository']}`);
    for (const { path } of manifest.samples)
      expect(filesIn(join(folder, path)), path).to.have.length.above(0);
  });
});

needs('python3').describe('the archive for .NET', () => {
  const newPath = useDirectory();
  /** What the project says, as a parser of XML reads it. */
  interface Project {
    readonly properties: Readonly<Record<string, string>>;
    readonly compiled: readonly string[];
    readonly packed: readonly string[];
  }
  const READ = `
import json, sys
from xml.etree import ElementTree
root = ElementTree.parse(sys.argv[1]).getroot()
print(json.dumps({
    "properties": {each.tag: each.text for each in root.find("PropertyGroup")},
    "compiled": [each.get("Include") for each in root.iter("Compile")],
    "packed": [each.get("Include") for each in root.iter("None") if each.get("Pack") == "true"],
}))
`;
  let folder: string;
  let project: Project;
  before(async () => {
    folder = join(
      unpack('gsls-client-csharp-VERSION.zip', newPath()),
      `gsls-client-csharp-${VERSION}/NuGet~`,
    );
    const { stdout } = await run('python3', ['-c', READ, join(folder, 'Gsls.Client.csproj')]);
    project = JSON.parse(stdout) as Project;
  });

  it('has a project of this version that says where it comes from, and packs its README', () => {
    expect(project.properties).to.include({
      PackageId: 'Gsls.Client',
      Version: VERSION,
      PackageLicenseExpression: 'MIT',
      PackageReadmeFile: 'README.md',
      PackageProjectUrl: ADDRESSES['homepage'],
      RepositoryUrl: ADDRESSES['repository'],
    });
    expect(project.packed).to.deep.equal(['../README.md']);
    expect(existsSync(join(folder, '../README.md'))).to.equal(true);
  });

  needs('mcs').it(
    'has a project whose sources are those of the client, and compile by themselves',
    async () => {
      const sources = project.compiled.flatMap((path) => {
        expect(path).to.match(/^\.\.\/Runtime\/(\*|\w+)\.cs$/);
        if (!path.includes('*')) return [path];
        const names = readdirSync(join(folder, dirname(path))).filter((name) => name.endsWith('.cs'));
        return names.map((name) => join(dirname(path), name));
      });
      const own = readdirSync('clients/csharp/Runtime').filter((name) => name.endsWith('.cs'));
      expect(sources).to.have.members(own.map((name) => `../Runtime/${name}`));
      const options = ['-target:library', '-langversion:7', '-warnaserror', '-r:System.Net.Http.dll'];
      await run('mcs', [...options, `-out:${newPath()}`, ...sources], { cwd: folder });
    },
  );
});

needs('python3').describe('the archive for Godot', () => {
  const newPath = useDirectory();
  let folder: string;
  before(() => (folder = unpack('gsls-godot-VERSION.zip', newPath())));

  it('has the addon with its licence and its README, and nothing beside its folder', () => {
    const own = filesIn('clients/godot/addons/gsls').map((path) => `addons/gsls/${path}`);
    expect(filesIn(folder)).to.have.members([...own, 'addons/gsls/README.md']);
    expect(own).to.include('addons/gsls/LICENSE');
  });

  needs('godot3-server').it('has a plugin whose script Godot 3 finds in a project', async () => {
    writeFileSync(join(folder, 'project.godot'), 'config_version=4\n');
    writeFileSync(
      join(folder, 'look.gd'),
      `extends SceneTree
func _init():
	var plugin = ConfigFile.new()
	var error = plugin.load("res://addons/gsls/plugin.cfg")
	var script = "res://addons/gsls/" + plugin.get_value("plugin", "script")
	print([error, plugin.get_value("plugin", "version"), File.new().file_exists(script)])
	quit()
`,
    );
    const home = newPath();
    mkdirSync(home);
    const args = ['--no-window', '--path', folder, '-s', 'look.gd'];
    const { stdout } = await run('godot3-server', args, { env: { ...process.env, HOME: home } });
    expect(stdout).to.include(`[0, ${VERSION}, True]`);
  });
});
