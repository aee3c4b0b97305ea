/** The UDP port of dpmaster in a service with workers: one of them answers, and after it its successor. */

import { expect } from 'chai';
import { UdpPlayer } from '../../../support/dpmaster/udp-player.ts';
import { freePort } from '../../../support/free-port.ts';
import { needs } from '../../../support/needs.ts';
import { until } from '../../../support/until.ts';
import { useWorkers, type ServiceWithWorkers } from './use-workers.ts';

const HEARTBEAT = 'heartbeat DarkPlaces\n';
const REQUEST = 'getservers Testing 3';
const AGAIN_MS = 200;

/** Sends it again and again until `answered` resolves: packets are lost while a worker takes the place of another. */
async function insist<T>(sender: UdpPlayer, text: string, answered: () => Promise<T>): Promise<T> {
  const again = setInterval(() => sender.send(text), AGAIN_MS);
  try {
    return await answered();
  } finally {
    clearInterval(again);
  }
}

needs('Linux', 'redis-server').describe('the UDP port of a service with workers', function () {
  this.timeout(120_000);
  const workers = useWorkers();
  const players: UdpPlayer[] = [];
  let service: ServiceWithWorkers;
  let port: number;
  afterEach(async () => {
    await Promise.all(players.splice(0).map((each) => each.close()));
  });

  async function player(): Promise<UdpPlayer> {
    const opened = await UdpPlayer.open(port);
    players.push(opened);
    return opened;
  }

  async function list(gameServer: UdpPlayer): Promise<void> {
    gameServer.send(HEARTBEAT);
    const challenge = await insist(gameServer, HEARTBEAT, () => gameServer.challenge());
    gameServer.infoResponse(challenge!);
    await until(async () => (await listedPorts()).includes(gameServer.port));
  }

  /** As any client is told. */
  async function listedPorts(): Promise<readonly number[]> {
    const client = await player();
    const addresses = await insist(client, REQUEST, () => client.list(REQUEST));
    return addresses.map((address) => Number(address.split(':').at(-1)));
  }

  beforeEach(async () => {
    port = await freePort();
    const limits = ['--rate-limit', 'list=10000/s'];
    service = await workers.start([
      '--dpmaster-port',
      String(port),
      '--dpmaster-host',
      '127.0.0.1',
      ...limits,
    ]);
  });

  const whoAnswers = (): number[] =>
    service.log
      .filter(({ msg }) => msg.startsWith('games that speak the protocol of dpmaster'))
      .map((line) => (line as { worker?: number }).worker!);

  it('is one of its workers at a time, and after that one is killed its successor', async () => {
    expect(whoAnswers()).to.deep.equal([1]);
    const before = await player();
    await list(before);
    // The first of them has the port.
    process.kill(service.pids()[0]!, 'SIGKILL');
    await until(() => whoAnswers().length === 2);
    expect(whoAnswers()).to.deep.equal([1, 1]);
    const after = await player();
    await list(after);
    expect(await listedPorts()).to.include(before.port);
  });

  it('is answered while all workers are replaced', async () => {
    const gameServer = await player();
    await list(gameServer);
    service.kill('SIGUSR2');
    await until(async () => {
      expect(await listedPorts()).to.include(gameServer.port);
      return service.messages(/^all workers are replaced$/).length === 1;
    });
    expect(whoAnswers()).to.deep.equal([1, 1]);
  });
});
