/** The programs for C# in examples/, before a real service. What their client does is judged by the kit. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { compileCSharp } from '../../clients/support/csharp.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { EXAMPLES, GameProcess, type Command } from '../../support/game-process.ts';
import { needs } from '../../support/needs.ts';
import { until } from '../../support/until.ts';
import { useDirectory } from '../../support/use-directory.ts';
import { useService } from '../../support/use-service.ts';

const NO_URL = 'GSLS: "localhost:53600" is no URL of a service, such as http://localhost:53600\n';

needs('mcs', 'mono').describe('the examples for C#', function () {
  this.timeout(60_000);
  const newPath = useDirectory();
  const service = useService();
  const commands: Record<string, Command> = {};

  before(async () => {
    for (const name of ['RunGameServer', 'RunServerBrowser']) {
      const out = newPath();
      await compileCSharp({ sources: [join(EXAMPLES, `${name}.cs`)], out });
      commands[name] = ['mono', out];
    }
  });

  it('keep a game server listed until Enter ends it, with its token in the file', async () => {
    const tokenFile = newPath();
    const game = new GameProcess(commands['RunGameServer']!, [service.url, tokenFile]);
    await game.says(/The game server is listed as /);
    const [entry] = (await ask(service, 'GET /')).body.servers!;
    expect(entry).to.include({ name: 'Frankfurt 1', port: 7777, ip: '127.0.0.1' });
    expect(readFileSync(tokenFile, 'utf8')).to.match(new RegExp(`^${entry!.id}\\.`));
    expect(await game.end((running) => running.stdin!.end('\n'))).to.equal(0);
    expect((await ask(service, 'GET /')).body.servers).to.deep.equal([]);
  });

  it('go on without an input, as where a service manager starts them', async () => {
    const game = new GameProcess(commands['RunGameServer']!, [service.url]);
    game.closeInput();
    await game.says(/The game server is listed as /);
    expect((await ask(service, 'GET /')).body.servers).to.have.length(1);
    await game.crash();
  });

  it('print the servers that come, change and leave', async () => {
    const id = await service.broadcast({ server_name: 'Zürich Ωμέγα 東京 🎮', region: 'eu', players: 1 });
    await service.broadcast({ server_name: 'Elsewhere', region: 'na' });
    const browser = new GameProcess(commands['RunServerBrowser']!, [service.url, 'region=eu&players=1..']);
    await browser.says(/^\+/m);
    const body = { ...aBroadcast({ server_name: 'Moved', region: 'eu', players: 5 }), server_id: id };
    await ask(service, 'POST /ping', { body });
    await browser.says(/Moved/);
    await ask(service, 'POST /remove', { body });
    const lines = [`+ ${id} 1/16 Zürich Ωμέγα 東京 🎮`, `+ ${id} 5/16 Moved`, `- ${id}`];
    await until(() => browser.log === `${lines.join('\n')}\n`);
    expect(await browser.end((running) => running.stdin!.end('\n'))).to.equal(0);
  });

  for (const name of ['RunGameServer', 'RunServerBrowser'])
    it(`end at once with what ${name} is told wrong`, async () => {
      const lost = new GameProcess(commands[name]!, ['localhost:53600']);
      expect(await lost.ended()).to.equal(1);
      expect(lost.log).to.equal(NO_URL);
    });
});
