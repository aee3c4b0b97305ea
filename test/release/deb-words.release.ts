/** What the Debian package tells of the program besides its help: manual pages, and the completions of three shells. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { needs } from '../support/needs.ts';
import { runCli } from '../support/start-cli.ts';
import { useDirectory } from '../support/use-directory.ts';
import { madeFile } from './support/made-release.ts';
import { offersOfBash, offersOfFish, offersOfZsh, type Offered } from './support/shell-offers.ts';

/** The long flags of each command, by its words. */
type Flags = ReadonlyMap<string, readonly string[]>;

const FILES = {
  bash: 'usr/share/bash-completion/completions/gsls',
  zsh: 'usr/share/zsh/vendor-completions/_gsls',
  fish: 'usr/share/fish/vendor_completions.d/gsls.fish',
};

/** What the program says in its own help: the words of all commands, each with its long flags. */
async function flagsByHelp(): Promise<Flags> {
  const names = commandsIn(await helpOf('--help')).filter((name) => !['help', 'options'].includes(name));
  const entries = await Promise.all(
    names.map(async (name) => {
      const help = await helpOf(name, '--help');
      const verbs = commandsIn(help).filter((verb) => verb !== 'help');
      const ofVerbs = verbs.map(async (verb) => {
        return [`gsls ${name} ${verb}`, flagsIn(await helpOf(name, verb, '--help'))] as const;
      });
      return [[`gsls ${name}`, flagsIn(help)] as const, ...(await Promise.all(ofVerbs))];
    }),
  );
  return new Map([['gsls', flagsIn(await helpOf('help', 'options'))], ...entries.flat()]);
}

async function helpOf(...words: readonly string[]): Promise<string> {
  return (await runCli(words)).stdout;
}

function commandsIn(help: string): readonly string[] {
  const [, block = ''] = /^Commands:\n(.*?)\n\n/ms.exec(help) ?? [];
  return [...block.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name!);
}

function flagsIn(help: string): readonly string[] {
  return [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag!);
}

needs('dpkg-deb', 'Linux').describe('the Debian package tells of the program', () => {
  const newPath = useDirectory();
  let folder = '';
  let flags: Flags = new Map();
  const path = (name: string): string => join(folder, name);

  before(async () => {
    folder = newPath();
    mkdirSync(folder);
    const tar = execFileSync('dpkg-deb', ['--fsys-tarfile', madeFile('gsls_VERSION_amd64.deb')], {
      maxBuffer: Infinity,
    });
    execFileSync('tar', ['-x', '-C', folder, './usr/share'], { input: tar });
    flags = await flagsByHelp();
  });

  /** The page of a command without the fonts, and with plain dashes. */
  function readPage(name: string): string {
    const text = gunzipSync(readFileSync(path(`usr/share/man/${name}.gz`))).toString();
    return text.replaceAll(/\\f[BIR]/g, '').replaceAll('\\-', '-');
  }

  it('in a manual page for each command, with all of its options', () => {
    for (const [command, expected] of flags) {
      const [, name = '', verb] = command.split(' ');
      const page = readPage(`man1/${name === '' ? 'gsls' : `gsls-${name}`}.1`);
      for (const flag of expected)
        expect(page, command).to.match(new RegExp(`^(?:-\\w, )?${flag}(?: |$)`, 'm'));
      if (verb !== undefined) expect(page).to.include(`.SS ${command} `);
      if (name !== '') expect(readPage('man1/gsls.1')).to.include(`gsls ${name}\n`);
    }
  });

  it('in a manual page for the file, with its options, registries and keys', () => {
    const page = readPage('man5/gsls.yaml.5');
    for (const flag of flags.get('gsls')!.filter((each) => !/^--(?:config|version|help)$/.test(each)))
      expect(page).to.include(`\n${flag.slice(2)}\n`);
    for (const name of ['registries', 'redis-name', 'keys', 'sha256']) expect(page).to.include(name);
  });

  needs('mandoc').it('in manual pages without a mistake', () => {
    for (const section of ['man1', 'man5'])
      for (const name of readdirSync(path(`usr/share/man/${section}`))) {
        const file = newPath();
        writeFileSync(file, gunzipSync(readFileSync(path(`usr/share/man/${section}/${name}`))));
        const { stdout, stderr } = spawnSync('mandoc', ['-Tlint', '-Wwarning', file], { encoding: 'utf8' });
        expect(stdout + stderr, name).to.equal('');
      }
  });

  type Offers = (asked: readonly string[]) => Offered;

  function offersAll(offers: Offers): void {
    const commands = [...flags.keys()];
    const offered = offers(commands.map((command) => `${command} --`));
    for (const [index, command] of commands.entries())
      expect(offered[index], command).to.include.members([...flags.get(command)!]);
    const [first, verbs, none] = offers(['gsls ', 'gsls ban ', 'gsls list --nothing']);
    const names = commands.flatMap((command) => command.split(' ')[1] ?? []);
    expect(first).to.have.members([...new Set(names), 'help', 'options']);
    expect(verbs).to.have.members(['add', 'list', 'remove']);
    expect(none).to.deep.equal([]);
  }

  function offersValues(offers: Offers): void {
    const [levels, ofAnnounce, service, files, text] = offers([
      'gsls --log-level ',
      'gsls announce --log-level ',
      'gsls --registry list --log-lev',
      'gsls check --config /etc/passw',
      'gsls --port ',
    ]);
    expect(levels).to.have.members(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']);
    expect(ofAnnounce).to.have.members(['debug', 'info', 'warn', 'error', 'silent']);
    expect(service).to.deep.equal(['--log-level']);
    expect(files!.filter((file) => /(?:^|\/)passwd$/.test(file))).to.have.length(1);
    expect(text).to.deep.equal([]);
  }

  describe('in completions', () => {
    needs('bash').it('of bash: all commands and options', () =>
      offersAll((asked) => offersOfBash(path(FILES.bash), asked)),
    );
    needs('bash').it('of bash: words and files as values', () =>
      offersValues((asked) => offersOfBash(path(FILES.bash), asked)),
    );
    needs('zsh').it('of zsh: all commands and options', () =>
      offersAll((asked) => offersOfZsh(path(FILES.zsh), asked)),
    );
    needs('zsh').it('of zsh: words and files as values', () =>
      offersValues((asked) => offersOfZsh(path(FILES.zsh), asked)),
    );
    needs('fish').it('of fish: all commands and options', () =>
      offersAll((asked) => offersOfFish(path(FILES.fish), asked)),
    );
    needs('fish').it('of fish: words and files as values', () =>
      offersValues((asked) => offersOfFish(path(FILES.fish), asked)),
    );
  });
});
