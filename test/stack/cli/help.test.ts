/** The help and the version that the program prints as a process. All else: test/cli/help.test.ts. */

import { closeSync, openSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { needs } from '../../support/needs.ts';
import { runCli, startCli } from '../../support/start-cli.ts';

describe('the help', function () {
  this.timeout(120_000);

  it('--help and --version end with code 0, and the version is that of the package', async () => {
    const [help, version] = await Promise.all([runCli(['--help']), runCli(['--version'])]);
    expect(help).to.include({ code: 0, stderr: '' });
    expect(help.stdout).to.match(/^Usage: gsls /);
    const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
    const stdout = `${(JSON.parse(manifest) as { version: string }).version}\n`;
    expect(version).to.deep.equal({ code: 0, stdout, stderr: '' });
  });

  needs('Linux').it('a help that cannot be written ends without a stack', async () => {
    const stdout = openSync('/dev/full', 'w');
    const { exited } = startCli(['--help'], {}, { stdout });
    closeSync(stdout);
    expect(await exited).to.include({ code: 0, stderr: '' });
  });
});
