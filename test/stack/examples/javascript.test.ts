/** The program for Node in examples/, before a real service. What its client does is judged by the kit. */

import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { buildPackage } from '../../clients/support/typescript.ts';
import { ask } from '../../support/ask.ts';
import { EXAMPLES, GameProcess, terminate, type Command } from '../../support/game-process.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { useService } from '../../support/use-service.ts';

describe('examples/game-server.mjs', function () {
  this.timeout(60_000);
  const newPath = useDirectory();
  const service = useService();
  let command: Command;

  before(async () => {
    const folder = newPath();
    const installed = join(folder, 'node_modules/gsls-client');
    mkdirSync(installed, { recursive: true });
    await buildPackage(installed);
    cpSync(join(EXAMPLES, 'game-server.mjs'), join(folder, 'game-server.mjs'));
    command = [process.execPath, join(folder, 'game-server.mjs')];
  });

  it('keeps a game server listed until it is ended, with its token in the file', async () => {
    const tokenFile = newPath();
    const game = new GameProcess(command, [service.url, tokenFile]);
    await game.says(/listed as/);
    const [entry] = (await ask(service, 'GET /')).body.servers!;
    expect(entry).to.include({ name: 'Frankfurt 1', port: 7777, ip: '127.0.0.1' });
    expect(readFileSync(tokenFile, 'utf8')).to.match(new RegExp(`^${entry!.id}\\.`));
    expect(await game.end(terminate)).to.equal(0);
    expect((await ask(service, 'GET /')).body.servers).to.deep.equal([]);
    expect(game.log.split('\n')).to.deep.equal([
      `GSLS: The game server is listed as ${entry!.id}.`,
      `GSLS: The game server left the list, and its token keeps the id ${entry!.id}.`,
      '',
    ]);
  });

  it('ends at once with what it is told wrong', async () => {
    const lost = new GameProcess(command, ['localhost:53600']);
    expect(await lost.ended()).to.equal(1);
    expect(lost.log).to.match(/^GSLS: the URL must be that of a service, .*\n$/);
  });
});
