/** The help and the version. As a process: test/stack/cli/help.test.ts. */

import { expect } from 'chai';
import { OPTIONS } from '../../src/service/config/options.ts';
import type { OptionDefinition } from '../../src/service/config/option.ts';
import { runHere } from './run-here.ts';

describe('the help', () => {
  it('--help is one page: the commands in a line each, examples, and some options', async () => {
    const stdout = await runHere(['--help']);
    expect(stdout.match(/^\w+(?=:$)/gm)).to.deep.equal(['Commands', 'Examples', 'Options']);
    for (const command of ['demo', 'healthcheck', 'reset', 'ban', 'options', 'help'])
      expect(stdout).to.match(new RegExp(`^ {2}${command}\\b.* {2}\\S`, 'm'));
    expect(stdout).to.match(/\nAll options: gsls help options\n$/);
    expect(stdout.split('\n').length).to.be.at.most(50);
    expect(stdout.split('\n').filter((line) => line.length > 80)).to.deep.equal([]);
    expect(await runHere(['help'])).to.equal(stdout);
  });

  it('--help names options and variables that exist, with their defaults', async () => {
    const stdout = await runHere(['--help']);
    const options = Object.values<OptionDefinition<unknown>>(OPTIONS);
    const [, few] = stdout.split('\nOptions:\n');
    const lines = [...few!.matchAll(/^ {2}(--.*?) {2,}\S.*?(?:\(default: ([^,)]+).*)?$/gm)];
    expect(lines).to.have.length.above(10);
    for (const [, term, initial] of lines) {
      const option = options.find(({ flag, argument }) => term === (argument ? `${flag} ${argument}` : flag));
      expect(option, term).to.not.equal(undefined);
      if (initial !== undefined) expect(initial, term).to.equal(String(option!.default));
    }
    for (const [variable] of stdout.matchAll(/\bGSLS_\w+/g))
      expect(options.map((option) => option.variable)).to.include(variable);
  });

  it('help options shows every option with its variable, in groups and 80 columns', async () => {
    const stdout = await runHere(['help', 'options']);
    for (const { flag, argument, variable } of Object.values<OptionDefinition<unknown>>(OPTIONS)) {
      expect(stdout).to.include(`\n  ${argument ? `${flag} ${argument}` : flag}\n`);
      expect(stdout).to.include(`(${variable};`);
    }
    const groups = [
      'Service',
      'Access',
      'Limits',
      'Moderation',
      'Redis',
      'Registry',
      'List',
      'Page',
      'Protocols',
      'Logs',
    ];
    expect(stdout.match(/^\w+(?=:$)/gm)).to.deep.equal([...groups, 'Options']);
    expect(stdout.split('\n').filter((line) => line.length > 80)).to.deep.equal([]);
    expect(await runHere(['options'])).to.equal(stdout);
  });

  it('a command has a help of its own', async () => {
    const stdout = await runHere(['help', 'reset']);
    expect(stdout).to.match(/^Usage: gsls reset .*\n {2}--yes\n {6}do not ask for confirmation\n/s);
    expect(await runHere(['reset', '--help'])).to.equal(stdout);
  });

  it('an option has a help, by its name and its variable', async () => {
    const stdout = await runHere(['help', 'ttl']);
    expect(stdout).to.match(/^ {2}--ttl <seconds>\n {6}\S[^]*\(GSLS_TTL; default: 60\)\n$/);
    expect(await runHere(['help', 'GSLS_TTL'])).to.equal(stdout);
  });

  it('--version, -v and -V print the version', async () => {
    for (const flag of ['--version', '-v', '-V']) expect(await runHere([flag])).to.equal('1.2.3\n');
  });
});
