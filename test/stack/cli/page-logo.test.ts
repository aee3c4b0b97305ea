/** The file of --page-logo, which is read before the service listens. */

import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { ask } from '../../support/ask.ts';
import { runCli, startListeningCli } from '../../support/start-cli.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { expectComplaint } from './expect-complaint.ts';

const complaintAbout = async (path: string, line: RegExp): Promise<void> =>
  expectComplaint(await runCli(['--port', '0', '--page-logo', path]), 2, line);

describe('the logo of the page', function () {
  this.timeout(120_000);
  const newPath = useDirectory();

  it('is refused in one line if it cannot be read, is no picture, or is too large', async () => {
    const path = newPath();
    await complaintAbout(path, /^gsls: the page logo \S+ cannot be read: ENOENT/);
    await complaintAbout('.', /^gsls: the page logo \. cannot be read: it is no file/);
    execFileSync('mkfifo', [`${path}-pipe`]);
    await complaintAbout(`${path}-pipe`, /cannot be read: it is no file/);
    writeFileSync(path, 'a text');
    await complaintAbout(path, /is none of SVG, PNG, WebP, JPEG, GIF and AVIF/);
    writeFileSync(path, '<svg/>');
    truncateSync(path, 256 * 1024 + 1);
    await complaintAbout(path, /is larger than 256 kB: make it smaller/);
  });

  it('is on the page', async () => {
    const path = newPath();
    writeFileSync(path, '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const cli = await startListeningCli(['--page-logo', path]);
    expect((await ask(cli, 'GET /browse')).text).to.match(/<img class="logo" src="browse\/logo-.{12}\.svg"/);
    await cli.stop();
  });
});
