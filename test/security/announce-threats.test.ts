/** The threat model of `gsls announce` in SECURITY.md: each of its rows. */

import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { bodyOf } from '../../src/tools/announce/composed-body.ts';
import { startOpsServer } from '../../src/tools/announce/ops-server.ts';
import { createServiceLink } from '../../src/tools/announce/service-link.ts';
import { Counts } from '../../src/tools/announce/counts.ts';
import { createTokenFile } from '../../src/tools/announce/token-file.ts';
import { stateOf } from '../../src/tools/announce/sources/state-of.ts';
import { systemEnvironment } from '../../clients/typescript/src/environment.ts';
import { parseBroadcast } from '../../src/api/writes/validation.ts';
import { aSettings, Simulation, TTL_MS } from '../tools/announce/support/simulation.ts';
import { listen } from '../support/listen.ts';
import { readDocument, tableOf } from '../support/markdown.ts';
import { useDirectory } from '../support/use-directory.ts';

const KEY = 'hunter2';
const PING = { method: 'POST', path: '/ping', body: {}, headers: { 'Server-Token': 'a-token' } } as const;

const linkTo = (url: string) =>
  createServiceLink(
    { url, key: KEY },
    { environment: systemEnvironment, measures: true, counts: new Counts(), addressesOf: async () => [] },
  );

describe('the threat model of gsls announce', () => {
  const newPath = useDirectory();
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.closeAllConnections();
  });

  async function serve(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    servers.push(server);
    await listen(server, '127.0.0.1', 0);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const THREATS: Readonly<Record<string, () => Promise<void>>> = {
    async 'another user of the machine: read a token, or have one written elsewhere'() {
      const [folder, precious] = [newPath(), newPath()];
      const file = createTokenFile(folder, 'http://one.test', ':1');
      file.write('a-token');
      if (process.platform === 'win32') return;
      expect([statSync(folder).mode & 0o777, statSync(file.path).mode & 0o777]).to.deep.equal([0o700, 0o600]);
      const shared = newPath();
      mkdirSync(shared);
      writeFileSync(precious, 'precious');
      const planted = createTokenFile(shared, 'http://one.test', ':1');
      symlinkSync(precious, planted.path);
      planted.write('a-token');
      expect(readFileSync(precious, 'utf8')).to.equal('precious');
    },

    async 'a service: get the key or a token sent elsewhere, by a redirect'() {
      const asked: string[] = [];
      const elsewhere = await serve((request, response) => {
        asked.push(JSON.stringify(request.headers));
        response.end('{}');
      });
      const service = await serve((_, response) => response.writeHead(307, { Location: elsewhere }).end());
      const { status, reason } = await linkTo(service).ask(PING);
      expect(status).to.equal(307);
      expect(reason).to.include(elsewhere);
      expect(asked).to.deep.equal([]);
    },

    async 'a service: fill memory with an answer without end'() {
      const service = await serve((_, response) => {
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', more);
        more();
      });
      expect((await linkTo(service).ask(PING)).cause).to.equal('too_large');
    },

    async 'a service: have it send more, or keep it from ending'() {
      const simulation = new Simulation();
      simulation.script = ({ kind }) =>
        kind === 'remove'
          ? 'hang'
          : Response.json(
              { status: 'success', server_id: 'x' },
              { headers: { 'Server-Ping-Interval': '0', 'Retry-After': '0' } },
            );
      simulation.announcing.start();
      await simulation.pass(TTL_MS);
      expect(simulation.requests.length).to.be.at.most(5);
      const from = simulation.now;
      const closing = simulation.announcing.close(2000);
      await simulation.pass(2000);
      expect(await closing).to.equal(1);
      expect(simulation.now - from).to.equal(2000);
    },

    async 'a game server: say what a service would refuse, or what moves a terminal'() {
      const state = stateOf({
        name: `\u001b]0;owned\u0007${'x'.repeat(10_000)}`,
        players: -5,
        maxPlayers: 1e300,
        map: '\u202e\u0000',
        mode: undefined,
        version: 'a\nb',
        region: undefined,
        password: undefined,
        tags: Array.from({ length: 100 }, (_, n) => `tag ${n}`),
        meta: undefined,
      });
      const body = bodyOf(aSettings({ ip: '203.0.113.7' }), state);
      expect(body.is).to.equal('whole');
      if (body.is === 'whole') expect(() => parseBroadcast(body.body)).to.not.throw();
      expect(JSON.stringify(body)).to.not.match(/\\u001b|\\u0007|\u202e/);
    },

    async 'a client of `--ops-port`: hold it up, or learn a secret'() {
      const services = [{ url: 'http://one.test', key: KEY }];
      const simulation = new Simulation([aSettings({ services })]);
      simulation.announcing.start();
      await simulation.pass(TTL_MS);
      const { announcing } = simulation;
      const ops = await startOpsServer({ host: '127.0.0.1', port: 0, announcing });
      try {
        for (const path of ['/readyz', '/livez', '/metrics', '/nowhere']) {
          const text = await (await fetch(ops.url + path)).text();
          expect(text)
            .to.not.include(KEY)
            .and.not.include([...simulation.tokens.values()][0]);
        }
      } finally {
        ops.close();
      }
    },
  };

  for (const [threat, check] of Object.entries(THREATS)) it(threat, check);

  it('is the table of SECURITY.md', () => {
    expect(
      tableOf(readDocument('SECURITY.md'), 'threats of gsls announce').map(([threat]) => threat),
    ).to.deep.equal(Object.keys(THREATS));
  });
});
