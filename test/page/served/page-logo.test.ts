/** The file of --page-logo, which is read before the service listens. */

import { truncateSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { UsageError } from '../../../src/runtime/usage-error.ts';
import { ask } from '../../support/ask.ts';
import { makePipe } from '../../support/make-pipe.ts';
import { needs } from '../../support/needs.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { useDirectory } from '../../support/use-directory.ts';

async function expectRefused(path: string, line: RegExp): Promise<void> {
  const error = await startTestService({ GSLS_PAGE_LOGO: path }).then(
    () => expect.fail('it was taken'),
    (each: unknown) => each,
  );
  expect(error).to.be.instanceOf(UsageError).with.property('message').that.matches(line);
}

describe('the logo of the page', () => {
  const newPath = useDirectory();

  it('is refused in one line if it cannot be read, is no picture, or is too large', async () => {
    const path = newPath();
    await expectRefused(path, /^the page logo \S+ cannot be read: ENOENT[^\n]+$/);
    await expectRefused('.', /^the page logo \. cannot be read: it is no file$/);
    writeFileSync(path, 'a text');
    await expectRefused(path, /is none of SVG, PNG, WebP, JPEG, GIF and AVIF$/);
    writeFileSync(path, '<svg/>');
    truncateSync(path, 256 * 1024 + 1);
    await expectRefused(path, /is larger than 256 kB: make it smaller$/);
  });

  needs('mkfifo').it('is refused if it is a pipe, for whose end nothing waits', async () => {
    const path = newPath();
    makePipe(path);
    await expectRefused(path, /cannot be read: it is no file$/);
  });

  it('is on the page', async () => {
    const path = newPath();
    writeFileSync(path, '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const service = await startTestService({ GSLS_PAGE_LOGO: path });
    expect((await ask(service, 'GET /browse')).text).to.match(
      /<img class="logo" src="\.\/browse\/logo-.{12}\.svg"/,
    );
    await service.close();
  });
});
