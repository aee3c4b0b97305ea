/** The examples for Python before a real service. What their client does is judged by the conformance kit. */

import { expect } from 'chai';
import { freePort } from '../../support/free-port.ts';
import { GameProcess, terminate, type Command } from '../../support/game-process.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';

// Without a cache of the modules in the sources.
const GAME_SERVER: Command = ['python3', '-B', 'game_server.py'];
const BROWSER: Command = ['python3', '-B', 'server_browser.py'];

needs('python3').describe('the examples for Python', function () {
  this.timeout(60_000);
  const service = useService();

  it('list a game server until it is told to end, and show it come and go', async () => {
    const browser = new GameProcess(BROWSER, [service.url, 'map=de_*']);
    const other = await service.broadcast({ map: 'ctf_2', server_name: 'Another' });
    const game = new GameProcess(GAME_SERVER, [service.url]);
    await browser.says(/^\+ \S+ 3\/16 Frankfurt 1$/m);
    const [, id] = /^\+ (\S+)/m.exec(browser.log)!;
    expect(await service.listed(id!)).to.include({ name: 'Frankfurt 1', ip: '127.0.0.1' });
    expect(await game.end(terminate)).to.equal(0);
    await browser.says(new RegExp(`^- ${id}$`, 'm'));
    expect(browser.log).to.not.include(other);
    await browser.crash();
  });

  for (const command of [GAME_SERVER, BROWSER])
    it(`say with ${command.at(-1)} that the service is away`, async () => {
      const away = new GameProcess(command, [`http://127.0.0.1:${await freePort()}`]);
      await away.says(/^GSLS: The service did not answer: the connection was refused\. The next /m);
      await away.crash();
    });

  for (const command of [GAME_SERVER, BROWSER])
    it(`end with ${command.at(-1)} at once at what is no URL of a service`, async () => {
      const lost = new GameProcess(command, ['localhost:53600']);
      expect(await lost.ended()).to.equal(1);
      expect(lost.log).to.match(/^GSLS: [^\n]* is no URL of a service[^\n]*\n$/);
    });

  it('start nothing when a game imports them', async () => {
    const program = 'import game_server, server_browser; print("the game goes on")';
    const importing = new GameProcess(['python3', '-B', '-c', program], []);
    expect(await importing.ended()).to.equal(0);
    expect(importing.log.trim()).to.equal('the game goes on');
  });
});
