/** What list, watch and simulate say, in one line, of words that they cannot take; and their help. */

import { CommanderError } from 'commander';
import { expect } from 'chai';
import type { ClientCommand } from '../../src/cli/client-command.ts';
import { list } from '../../src/cli/list.ts';
import { simulate } from '../../src/cli/simulate.ts';
import { watch } from '../../src/cli/watch.ts';
import { UsageError } from '../../src/config/option.ts';

const COMMANDS: Readonly<Record<string, ClientCommand>> = { list, watch, simulate };
const URL_OF = 'http://127.0.0.1:1';

async function run(words: readonly string[]): Promise<{ readonly printed: string; readonly error: unknown }> {
  const [name = '', ...args] = words;
  let printed = '';
  const output = { write: (text: string): void => void (printed += text) };
  const error = await COMMANDS[name]!(args, {
    version: '1.2.3',
    environment: {},
    stdout: output,
    stderr: output,
  }).then(
    () => undefined,
    (each: unknown) => each,
  );
  return { printed, error };
}

describe('a usage error of a command for terminals', () => {
  const COMPLAINTS: readonly (readonly [readonly string[], RegExp])[] = [
    [['list'], /^gsls list needs a url$/],
    [['list', 'localhost:53600'], /^the URL must be the address of a service, like https:/],
    [
      ['list', 'http://user:hunter2@127.0.0.1'],
      /^the URL must have no user and no password: the key is in GSLS_KEY/,
    ],
    [
      ['list', `${URL_OF}/?region=eu`],
      /^the URL must end before its query: write the parameters as words behind it$/,
    ],
    [['list', URL_OF, 'eu'], /^"eu" is no parameter: write it like region=eu$/],
    [['list', URL_OF, '--colums', 'name'], /^unknown option --colums; did you mean --columns\?$/],
    [['list', URL_OF, '--columns', 'nmae'], /^--columns has no column "nmae"; did you mean name\?$/],
    [['list', URL_OF, '--json', '--csv'], /^--json and --csv are two forms: give one of them$/],
    [
      ['list', URL_OF, '--json', '--columns', 'id'],
      /^--json has all that the API tells: leave out --columns$/,
    ],
    [['list', URL_OF, '--limit', '0'], /^--limit must be an integer from 1 on, not "0"$/],
    [['list', URL_OF, 'limit=5', '--limit', '6'], /^--limit and limit= say the same: give one of them$/],
    [['watch'], /^gsls watch needs a url$/],
    [['watch', URL_OF, 'limit=5'], /^limit is for gsls list: gsls watch follows all that match$/],
    [['watch', URL_OF, 'sort=name'], /^sort is for gsls list: gsls watch follows all that match$/],
    [['watch', URL_OF, '--columns', 'name'], /^unknown option --columns$/],
    [['simulate', URL_OF, '--servers', 'many'], /^--servers must be an integer from 1 to 10000, not "many"$/],
    [['simulate', URL_OF, '--seed', '1.5'], /^--seed must be an integer from 0 to 4294967295, not "1\.5"$/],
    [['simulate', URL_OF, 'now'], /^gsls simulate takes options only behind its URL, and not "now"$/],
    [
      ['simulate', 'http://8.8.8.8:53600'],
      /^8\.8\.8\.8 is neither this machine nor in a private network: if .* --host-is 8\.8\.8\.8$/,
    ],
    [
      ['simulate', 'http://8.8.8.8', '--host-is', 'example.com'],
      /^--host-is names example\.com, and the URL 8\.8\.8\.8$/,
    ],
  ];
  for (const [words, line] of COMPLAINTS)
    it(`${words.join(' ')} is one line`, async () => {
      const { error } = await run(words);
      expect(error).to.be.instanceOf(UsageError);
      expect((error as Error).message)
        .to.match(line)
        .and.not.match(/\n|hunter2/);
    });
});

describe('the help of a command for terminals', () => {
  for (const name of Object.keys(COMMANDS))
    it(`${name} --help has examples, and lines of at most 80 columns`, async () => {
      const { printed, error } = await run([name, '--help']);
      expect(error).to.be.instanceOf(CommanderError).and.include({ exitCode: 0 });
      expect(printed).to.match(new RegExp(`^Usage: gsls ${name} .*<url>`));
      expect(printed.match(new RegExp(`^ {2}gsls ${name} http`, 'gm'))).to.have.length.above(2);
      expect(printed.split('\n').filter((line) => line.length > 80)).to.deep.equal([]);
    });
});
