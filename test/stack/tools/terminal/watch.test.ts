/** `gsls watch` as a process: while the list changes, while the service is away, and at its end. */

import { expect } from 'chai';
import type { Service } from '../../../../src/service/service.ts';
import { ask, type AnswerBody } from '../../../support/ask.ts';
import { aBroadcast } from '../../../support/builders.ts';
import { freePort } from '../../../support/free-port.ts';
import { startProgram, type RunningProcess } from '../../../support/processes.ts';
import { PROGRAM } from '../../../support/program.ts';
import { startTestService } from '../../../support/start-test-service.ts';
import { until } from '../../../support/until.ts';

const KEY = 'sesame';

async function prints(process: RunningProcess, pattern: RegExp): Promise<void> {
  await until(() => process.lines.some((line) => pattern.test(line)), process);
}

describe('gsls watch', function () {
  this.timeout(120_000);
  let port: string;
  let service: Service;
  let url: string;

  async function start(): Promise<void> {
    service = await startTestService({ GSLS_PORT: port, GSLS_FEED_INTERVAL: '100', GSLS_KEY: KEY });
    ({ url } = service);
  }
  before(async () => {
    port = String(await freePort());
    await start();
  });
  after(() => service.close());

  async function post(path: 'broadcast' | 'ping' | 'remove', body: object): Promise<AnswerBody> {
    const headers = { Authorization: `Bearer ${KEY}` };
    return (await ask(service, `POST /${path}`, { body, headers })).body;
  }
  it('prints a line for each change, also while the service is away and when it is back', async () => {
    const words = [...PROGRAM, 'watch', url, 'map=de_*'];
    const [people, programs] = [words, [...words, '--json']].map((each) =>
      startProgram(process.execPath, each, { GSLS_KEY: KEY }),
    ) as [RunningProcess, RunningProcess];
    await prints(people, /^\d{4}-\d\d-\d\dT[\d:]{8}Z = 0 servers, 0 players$/);
    await prints(programs, /^\{"time":"\d{4}-\d\d-\d\dT[\d:]{8}Z","change":"list","servers":\[\]\}$/);

    await post('broadcast', aBroadcast({ server_name: 'Not asked for', server_port: 7790 }));
    const madrid = aBroadcast({ server_name: 'Madrid 1', map: 'de_dust2' });
    const { server_id } = await post('broadcast', madrid);
    await prints(people, / \+ Madrid 1 {2}3\/16 {2}de_dust2 {2}203\.0\.113\.7:7777$/);
    await post('ping', { ...madrid, server_id, players: 5 });
    await prints(people, / ~ players 3 → 5 Madrid 1$/);
    await prints(programs, /"change":"changed","server":\{.*"players":5.*"before":\{.*"players":3/);

    await service.close();
    await prints(
      people,
      / ! away: the connection was refused \(ECONNREFUSED\), as of \S+, next try in \d+ s$/,
    );
    await prints(programs, /"change":"contact","state":"away"/);
    await start();
    await prints(people, / - Madrid 1 {2}5\/16/);
    await prints(people, / ! live$/);
    await prints(programs, /"change":"left".*"Madrid 1"/);

    expect(await people.stop('SIGTERM')).to.equal(0);
    expect(await programs.stop('SIGINT')).to.equal(0);
    const all = [...people.lines, ...programs.lines].join('\n');
    expect(all).to.not.include('Not asked for');
    const changes = programs.lines.map((line) => (JSON.parse(line) as { change: string }).change);
    expect([...new Set(changes)]).to.deep.equal(['list', 'came', 'changed', 'contact', 'left']);
  });

  it('goes on at the next service while one is away, and says which list it prints', async () => {
    const second = await startTestService({ GSLS_FEED_INTERVAL: '100' });
    const first = `http://127.0.0.1:${await freePort()}`;
    const people = startProgram(process.execPath, [...PROGRAM, 'watch', first, second.url], {});
    await prints(people, / = 0 servers, 0 players$/);
    await ask(second, 'POST /broadcast', { body: aBroadcast({ server_name: 'Madrid 3' }) });
    await prints(people, / \+ Madrid 3 /);
    await people.stop('SIGTERM');
    await second.close();
    expect(people.lines[0]).to.match(new RegExp(` ! from now on this is the list of ${second.url}$`));
  });

  it('ends when nobody reads any more', async () => {
    const command = [process.execPath, ...PROGRAM, 'watch', url].map((word) => `'${word}'`).join(' ');
    const piped = startProgram('sh', ['-c', `${command} | head -n 1`], { GSLS_KEY: KEY });
    await until(() => piped.lines.length > 0, piped);
    await post('broadcast', aBroadcast({ server_name: 'Madrid 2', server_port: 7791 }));
    await until(() => piped.ended);
    expect(piped.lines).to.have.length(1);
  });
});
