/** The server browsers of examples/ before a real service: what they print leads to the list that matches. */

import { execFileSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast, type ListedBody } from '../../support/builders.ts';
import { freePort } from '../../support/free-port.ts';
import { EXAMPLES, GameProcess, type Command } from '../../support/game-process.ts';
import { needs } from '../../support/needs.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';
import { useDirectory } from '../../support/use-directory.ts';

const QUERY = 'region=eu&players=1..';

needs('mcs', 'mono').describe('examples/ServerBrowser.cs', function () {
  this.timeout(60_000);
  describeServerBrowser((program) => {
    const libraries = ['-r:System.Net.Http.dll', '-r:System.Runtime.Serialization.dll'];
    execFileSync('mcs', [...libraries, `-out:${program}`, 'RunServerBrowser.cs', 'ServerBrowser.cs'], {
      cwd: EXAMPLES,
    });
    return ['mono', program];
  });
});

/** Call it in a describe block. `commandFor` is given the path of a file that it may compile into. */
function describeServerBrowser(commandFor: (program: string) => Command): void {
  const newPath = useDirectory();
  let command: Command;
  let port: number;
  let service: Service;
  let browser: GameProcess;
  let [moved, emptied, removed] = ['', '', ''];

  async function broadcast(fields: Record<string, unknown>): Promise<string> {
    const { body } = await ask(service, 'POST /broadcast', { body: aBroadcast(fields) });
    return body.server_id!;
  }

  async function ping(id: string, fields: Record<string, unknown>): Promise<void> {
    const body = { ...aBroadcast(fields), server_id: id };
    expect((await ask(service, 'POST /ping', { body })).status).to.equal(200);
  }

  const start = (): Promise<Service> => startTestService({ GSLS_PORT: String(port), GSLS_TTL: '3600' });

  /** Resolves once the lines lead to exactly the list that matches. */
  async function isUpToDate(): Promise<void> {
    const { body } = await ask(service, `GET /servers?${QUERY}&limit=1000`);
    const matching = new Map(body.servers!.map((server) => [server.id, lineOf(server)]));
    await until(() => isDeepStrictEqual(listFrom(browser.log), matching));
  }

  before(async () => {
    command = commandFor(newPath());
    port = await freePort();
    service = await start();
  });
  after(async () => {
    await browser?.crash();
    await service?.close();
  });

  it('shows what matches, with names of all scripts', async () => {
    const name = 'Zürich Ωμέγα 東京 🎮';
    await broadcast({ server_name: name, region: 'eu', players: 1 });
    moved = await broadcast({ region: 'na' });
    emptied = await broadcast({ region: 'eu', players: 2 });
    removed = await broadcast({ region: 'eu', server_name: 'Short' });
    browser = new GameProcess(command, [service.url, QUERY]);
    await isUpToDate();
    expect(browser.log).to.match(new RegExp(`^\\+ [\\w-]{22} 1/16 ${name}$`, 'm'));
    expect(browser.log).to.not.include(moved);
  });

  it('follows broadcasts, pings that begin or cease to match, and removes', async () => {
    await broadcast({ region: 'eu', server_name: 'New' });
    await ping(moved, { region: 'eu', server_name: 'Moved', players: 5 });
    await ping(emptied, { region: 'eu', players: 0 });
    const body = { server_id: removed, server_ip: aBroadcast()['server_ip'] };
    await ask(service, 'POST /remove', { body });
    await isUpToDate();
    expect(browser.log).to.include(`+ ${moved} 5/16 Moved\n`);
    expect(browser.log).to.include(`- ${emptied}\n`).and.to.include(`- ${removed}\n`);
  });

  it('says that the service is away, and goes on when it has restarted and has forgotten all', async () => {
    const before = [...listFrom(browser.log).keys()];
    await service.close();
    await browser.says(/^GSLS: .*refused/im);
    service = await start();
    await broadcast({ region: 'eu', server_name: 'After the restart' });
    await isUpToDate();
    for (const id of before) expect(browser.log).to.include(`- ${id}\n`);
  });

  for (const url of ['', 'localhost:53600', 'htp://localhost'])
    it(`ends at once at "${url}", which is no URL of a service`, async () => {
      const lost = new GameProcess(command, [url]);
      expect(await lost.ended()).to.equal(1);
      expect(lost.log.trim()).to.equal(`"${url}" is no URL of a service, such as http://localhost:53600`);
    });

  it('ends with the message of the service when the query is wrong', async () => {
    const { body } = await ask(service, 'GET /changes?regoin=eu');
    const wrong = new GameProcess(command, [service.url, 'regoin=eu']);
    expect(await wrong.ended()).to.equal(1);
    expect(wrong.log.trim()).to.equal(body.error).and.to.include('region');
  });

  it('ends with the message of the service when a key is missing', async () => {
    const closed = await startTestService({ GSLS_KEY: 'a key for everything' });
    const keyless = new GameProcess(command, [closed.url]);
    expect(await keyless.ended()).to.equal(1);
    const { body } = await ask(closed, 'GET /changes');
    expect(keyless.log.trim()).to.equal(body.error);
    await closed.close();
  });
}

const lineOf = ({ players, max_players, name }: ListedBody): string => `${players}/${max_players} ${name}`;

/** The servers by id, as the lines so far leave them. Each has to be known before it leaves. */
function listFrom(log: string): Map<string, string> {
  const servers = new Map<string, string>();
  const lines = log.split('\n').slice(0, -1);
  for (const line of lines.filter((each) => !each.startsWith('GSLS: '))) {
    const [, sign, id, rest] = /^([+-]) (\S+)(?: (.*))?$/.exec(line) ?? expect.fail(`it printed ${line}`);
    if (sign === '+') servers.set(id!, rest!);
    else expect(servers.delete(id!), line).to.equal(true);
  }
  return servers;
}
