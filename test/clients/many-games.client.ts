/** Every client at a registry below a path of a service with several: it is listed there, pings, reads and follows. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ClientProgram } from '../../src/tools/conformance/client-program.ts';
import { ask } from '../support/ask.ts';
import { aBroadcast, type ListedBody } from '../support/builders.ts';
import { needs } from '../support/needs.ts';
import { until } from '../support/until.ts';
import { useDirectory } from '../support/use-directory.ts';
import { useService } from '../support/use-service.ts';
import { C } from './support/c.ts';
import { CSHARP } from './support/csharp.ts';
import { runRules, type GivenTurn } from './support/godot/godot-3.ts';
import type { JudgedClient } from './support/judged-client.ts';
import { PYTHON } from './support/python.ts';
import { TYPESCRIPT } from './support/typescript.ts';

const FIELDS = {
  server_host: 'eu1.example.com',
  server_name: 'Frankfurt 1',
  server_port: 7777,
  server_ip: 'auto',
  players: 3,
  max_players: 16,
};

type Line = Readonly<Record<string, unknown>>;

/** The program around a client, on the wall clock. */
function start(command: readonly string[]) {
  const started = { ended: false, lines: [] as string[], said: [] as Line[] };
  const program = new ClientProgram(command, {
    onLine: (line) => {
      started.lines.push(JSON.stringify(line));
      if ('said' in line) started.said.push(line.said);
    },
    onEnd: () => (started.ended = true),
  });
  return Object.assign(started, {
    program,
    /** The next line of this name. */
    async hears(name: string): Promise<Line> {
      let line: Line | undefined;
      await until(() => {
        line = started.said.shift();
        return line !== undefined && name in line;
      }, started);
      return line!;
    },
  });
}

describe('a registry below a path, for clients', function () {
  this.timeout(120_000);
  const newPath = useDirectory();
  // A game server pings each second.
  const service = useService(() => {
    const path = newPath();
    writeFileSync(path, 'registries: { racer: { ttl: 3 }, shooter: }');
    return { GSLS_CONFIG: path };
  });
  before(() => ask(service, 'POST /shooter/broadcast', { body: aBroadcast({ server_name: 'Elsewhere' }) }));

  const listed = async (): Promise<readonly ListedBody[]> =>
    (await ask(service, 'GET /racer/')).body.servers!;
  const isListed = async (players: number): Promise<boolean> =>
    (await listed()).some((server) => server.name === 'Frankfurt 1' && server.players === players);

  const play = async (client: JudgedClient): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), 'gsls-client-'));
    const command = await client.build(folder);
    const url = `${service.url}/racer`;
    const [server, reader] = [start(command), start(command)];
    try {
      const { can } = (await server.hears('ready'))['ready'] as { readonly can: readonly string[] };
      server.program.tell({ start: { url, fields: FIELDS } });
      await until(() => isListed(3), server);
      server.program.tell({ players: 4 });
      await until(() => isListed(4), server);
      for (const what of ['list', 'find', 'watch'].filter((each) => can.includes(each))) {
        reader.program.tell({ [what]: { url, query: '' } });
        expect((await reader.hears('servers'))['servers'], what).to.deep.include({ names: ['Frankfurt 1'] });
      }
      server.program.tell({ stop: true });
      await server.hears('stopped');
      expect(await listed()).to.deep.equal([]);
    } finally {
      await Promise.all([server, reader].map(({ program }) => program.end()));
      rmSync(folder, { recursive: true, force: true });
    }
  };

  for (const client of [TYPESCRIPT, PYTHON, C, CSHARP])
    needs(...client.needs).it(`does for the client for ${client.name} all that it does at the root`, () =>
      play(client),
    );

  needs('godot3-server').it(
    'is told by the rules of the addon for Godot what it is told at the root',
    async () => {
      const turns: GivenTurn[] = [];
      // The rules know no network: each answer is given to them with all before it.
      for (const players of [3, 4]) {
        const unanswered = { status: 0, headers: {}, body: {}, reason: '', chance: 0 };
        const told = await runRules(newPath(), {
          token: 'claim',
          key: '',
          fields: { ...FIELDS, players },
          turns: [...turns, unanswered],
        });
        const { path, headers, body } = told.at(-1)!;
        const {
          status,
          headers: answered,
          text,
        } = await ask(service, `POST /racer${path}`, { headers, body });
        expect(status, text).to.equal(200);
        turns.push({
          ...unanswered,
          status,
          headers: answered as GivenTurn['headers'],
          body: JSON.parse(text) as GivenTurn['body'],
        });
        expect(await isListed(players)).to.equal(true);
      }
    },
  );
});
