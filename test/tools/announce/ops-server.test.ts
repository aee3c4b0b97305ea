/** The port of `gsls announce` for what watches it. */

import { connect } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { startOpsServer, type OpsServer } from '../../../src/tools/announce/ops-server.ts';
import { aSettings, Simulation } from './support/simulation.ts';

describe('the operations port of gsls announce', () => {
  let simulation: Simulation;
  let ops: OpsServer;
  beforeEach(async () => {
    const services = ['http://one.test', 'http://two.test'].map((url) => ({ url, key: undefined }));
    simulation = new Simulation([aSettings({ services })]);
    simulation.script = ({ service }) =>
      service === 'http://two.test' ? new Response('<p>', { status: 502 }) : undefined;
    ops = await startOpsServer({ host: '127.0.0.1', port: 0, announcing: simulation.announcing });
  });
  afterEach(() => ops.close());

  const get = async (path: string, method = 'GET') => {
    const answer = await fetch(ops.url + path, { method });
    return { status: answer.status, text: await answer.text() };
  };

  it('is ready once each game server is listed somewhere, until its game is away', async () => {
    expect(await get('/livez')).to.deep.equal({ status: 200, text: '{"status":"alive"}\n' });
    expect(await get('/readyz')).to.deep.equal({
      status: 503,
      text: '{"status":"not ready","game_servers":1,"listed":0}\n',
    });
    simulation.announcing.start();
    await simulation.pass(1000);
    expect(await get('/readyz')).to.deep.equal({
      status: 200,
      text: '{"status":"ready","game_servers":1,"listed":1}\n',
    });
    simulation.reading = { is: 'silent', why: '' };
    await simulation.pass(15_000);
    expect((await get('/readyz')).status).to.equal(503);
  });

  it('has metrics of what was read and sent', async () => {
    simulation.announcing.start();
    await simulation.pass(1000);
    const { text } = await get('/metrics?x');
    expect(text.split('\n').filter((line) => !line.startsWith('#') && !line.endsWith(' 0'))).to.deep.equal([
      'gsls_announce_game_servers{standing="up"} 1',
      'gsls_announce_listed{service="http://one.test"} 1',
      'gsls_announce_readings_total{outcome="told"} 1',
      'gsls_announce_requests_total{service="http://one.test",kind="broadcast",outcome="success"} 1',
      'gsls_announce_requests_total{service="http://two.test",kind="broadcast",outcome="502"} 2',
      '',
    ]);
  });

  it('has nothing else, and takes nothing', async () => {
    expect((await get('/')).status).to.equal(404);
    expect((await get('/constructor')).status).to.equal(404);
    expect((await get('/readyz', 'POST')).status).to.equal(405);
    expect(await get('/livez', 'HEAD')).to.deep.equal({ status: 200, text: '' });
  });

  it('lets go of a client that never finishes its request', async () => {
    ops.close();
    const { announcing } = simulation;
    ops = await startOpsServer({ host: '127.0.0.1', port: 0, announcing, timeoutMs: 100 });
    const { hostname, port } = new URL(ops.url);
    const socket = connect(Number(port), hostname);
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n');
    socket.resume();
    await once(socket, 'close');
  });
});
