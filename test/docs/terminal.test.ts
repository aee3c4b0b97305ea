/** docs/terminal.md: each command that it shows exists, with its options, and each capture is of its command. */

import { expect } from 'chai';
import { CLIENT_COMMANDS } from '../../src/tools/client-command.ts';
import { list } from '../../src/tools/terminal/list.ts';
import { simulate } from '../../src/tools/demo/simulate.ts';
import { watch } from '../../src/tools/terminal/watch.ts';
import { COLUMN_NAMES } from '../../src/tools/terminal/columns.ts';
import { readDocument } from '../support/markdown.ts';

const DOCUMENT = readDocument('docs/terminal.md');

async function helpOf(name: string): Promise<string> {
  let printed = '';
  const output = { write: (text: string): void => void (printed += text) };
  const command = { list, watch, simulate }[name]!;
  await command(['--help'], { version: '', environment: {}, stdout: output, stderr: output }).catch(
    () => undefined,
  );
  return printed;
}

describe('docs/terminal.md', () => {
  it('shows what its captures say, each as its script writes it', () => {
    const captures = [
      ...DOCUMENT.matchAll(/<!-- capture: (gsls .*?)(?: \| keys: .*?)? -->\n\n```text\n(.*)\n(.+)/g),
    ];
    expect(captures).to.have.length(2);
    for (const [, words, first, next] of captures) {
      expect(first).to.equal(`$ ${words}`);
      expect(next).to.not.match(/^```|^gsls:/);
    }
    expect(DOCUMENT.split('\n').filter((line) => /\p{Cc}/u.test(line))).to.deep.equal([]);
  });

  it('names commands and options that exist, and all columns', async () => {
    const commands = [...DOCUMENT.matchAll(/gsls (list|watch|simulate|[a-z]+) (http\S+[^`\n]*)/g)];
    expect(commands.length).to.be.above(4);
    for (const [, name, rest] of commands) {
      expect(CLIENT_COMMANDS).to.have.property(name!);
      const help = await helpOf(name!);
      for (const [flag] of rest!.matchAll(/--[a-z-]+/g)) expect(help).to.include(flag);
    }
    for (const name of COLUMN_NAMES) expect(DOCUMENT).to.include(`\`${name}\``);
  });
});
