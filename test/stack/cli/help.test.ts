/** The help and the version that the program prints. */

import { closeSync, openSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { OPTIONS } from '../../../src/config/options.ts';
import type { OptionDefinition } from '../../../src/config/option.ts';
import { needs } from '../../support/needs.ts';
import { runCli, startCli } from '../../support/start-cli.ts';

describe('the help', function () {
  this.timeout(120_000);

  it('--help shows every option with its variable, and examples', async () => {
    const { code, stdout, stderr } = await runCli(['--help']);
    for (const { flag, argument, variable } of Object.values<OptionDefinition<unknown>>(OPTIONS)) {
      expect(stdout).to.include(`\n  ${argument ? `${flag} ${argument}` : flag}\n`);
      expect(stdout).to.include(`(${variable};`);
    }
    expect(stdout)
      .to.include('healthcheck')
      .and.to.match(/\nExamples:\n {2}gsls /);
    expect([code, stderr]).to.deep.equal([0, '']);
  });

  it('the options are in groups, in 80 columns where there is no terminal', async () => {
    const { stdout } = await runCli(['help']);
    const groups = ['Service', 'Access', 'Limits', 'Redis', 'Registry', 'List', 'Page', 'Logs'];
    expect(stdout.match(/^\w+(?=:$)/gm)).to.deep.equal([...groups, 'Options', 'Commands', 'Examples']);
    expect(stdout.split('\n').filter((line) => line.length > 80)).to.deep.equal([]);
  });

  it('a command has a help of its own', async () => {
    const { code, stdout } = await runCli(['help', 'reset']);
    expect(stdout).to.match(/^Usage: gsls reset .*\n {2}--yes\n {6}do not ask for confirmation\n/s);
    expect([code, (await runCli(['reset', '--help'])).stdout]).to.deep.equal([0, stdout]);
  });

  it('--version, -v and -V print the version of the package', async () => {
    const { version } = JSON.parse(
      readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
    ) as {
      version: string;
    };
    for (const flag of ['--version', '-v', '-V'])
      expect(await runCli([flag])).to.deep.equal({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  needs('Linux').it('a help that cannot be written ends without a stack', async () => {
    const stdout = openSync('/dev/full', 'w');
    const { exited } = startCli(['--help'], {}, { stdout });
    closeSync(stdout);
    expect(await exited).to.include({ code: 0, stderr: '' });
  });
});
