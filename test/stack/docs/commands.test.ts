/** The commands of the documents, run by a shell as they stand, before a service of their own. */

import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { commandsOf, readDocument } from '../../support/markdown.ts';
import { needs } from '../../support/needs.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { useService } from '../../support/use-service.ts';

/** Ids, and tags of the list. */
const ID = /[\w-]{22}(?=")|(?<="tag":")[^"]+/g;

for (const path of ['README.md', 'docs/api.md', 'docs/find.md'])
  needs('bash', 'curl').describe(`the commands of ${path}`, function () {
    this.timeout(60_000);
    const service = useService({ GSLS_ALLOW_UNLISTED: 'true' });
    const newPath = useDirectory();

    it('run one after the other, and print what the document says', async () => {
      const commands = commandsOf(readDocument(path));
      // One shell for all, as variables stay from block to block; what a block prints ends with a mark.
      const script = commands.map(({ script: block }) => `${block}printf '\\f'`).join('\n');
      const real = script
        .replaceAll('localhost:53600', new URL(service.url).host)
        .replaceAll(/\bcurl (?!-)/g, 'curl --silent --show-error --fail ');
      // A bash whose input is a socket, as here, takes itself for one started by rshd, unless it is inside of another.
      const env = { ...process.env, SHLVL: '1' };
      const cwd = newPath();
      mkdirSync(cwd);
      const { stdout, stderr } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', real], {
        env,
        cwd,
      });
      expect(stderr).to.equal('');
      const printed = stdout.split('\f').slice(0, -1);
      expect(printed).to.have.length(commands.length).above(0);
      commands.forEach(({ output }, index) => {
        if (output === undefined) return;
        const [shown, real_] = [output, printed[index]!].map((text) => text.replaceAll(ID, 'an id').trim());
        expect(real_).to.equal(shown);
      });
    });
  });
