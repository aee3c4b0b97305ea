/** The commands of the documents, run by a shell as they stand, before a service of their own. */

import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { freePort } from '../../support/free-port.ts';
import { commandsOf, readDocument } from '../../support/markdown.ts';
import { needs } from '../../support/needs.ts';
import { runBlocks, writeGsls } from '../../support/run-blocks.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { useService } from '../../support/use-service.ts';

/** Ids, and tags of the list. */
const ID = /[\w-]{22}(?=[".])|(?<="tag":")[^"]+|\b[\da-f]{16}\b/g;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** What a block prints without what differs from run to run. A service is seen from either address of this machine. */
function comparable(printed: string): string {
  return printed
    .replaceAll(ID, 'an id')
    .replaceAll(TIME, 'a time')
    .replaceAll('[::1]:', '127.0.0.1:')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

for (const path of ['README.md', 'docs/api.md', 'docs/find.md'])
  needs('bash', 'curl').describe(`the commands of ${path}`, function () {
    this.timeout(60_000);
    const service = useService({ GSLS_ALLOW_UNLISTED: 'true' });
    const newPath = useDirectory();

    it('run one after the other, and print what the document says', async () => {
      const cwd = newPath();
      mkdirSync(cwd);
      const blocks = commandsOf(readDocument(path).replaceAll('localhost:53600', new URL(service.url).host));
      const printed = await runBlocks(blocks, { cwd });
      expect(printed).to.have.length.above(0);
      blocks.forEach(({ output }, index) => {
        if (output !== undefined) expect(comparable(printed[index]!)).to.equal(comparable(output));
      });
    });
  });

needs('bash', 'curl', 'python3', 'openssl', 'script').describe(
  'the commands of docs/tutorial.md',
  function () {
    this.timeout(120_000);
    const newPath = useDirectory();

    it('are all that a reader types, and print in one terminal what the document says, and nothing else', async () => {
      const [folder, cwd, port, sitePort] = [newPath(), newPath(), await freePort(), await freePort()];
      mkdirSync(cwd);
      const tutorial = readDocument('docs/tutorial.md');
      expect(commandsOf(tutorial)).to.have.length(tutorial.match(/^```sh$/gm)!.length);
      const blocks = commandsOf(
        tutorial.replaceAll('localhost:53600', `localhost:${port}`).replaceAll(/\b8000\b/g, String(sitePort)),
      );
      const printed = await runBlocks(blocks, {
        cwd,
        inTerminal: true,
        environment: {
          PATH: [writeGsls(folder), process.env['PATH']].join(delimiter),
          GSLS_PORT: String(port),
          PYTHONPATH: fileURLToPath(new URL('../../../clients/python', import.meta.url)),
          XDG_STATE_HOME: join(folder, 'state'),
          USER: 'ann',
        },
      });
      blocks.forEach(({ output }, index) =>
        expect(comparable(printed[index]!)).to.equal(comparable(output ?? '')),
      );
    });
  },
);
