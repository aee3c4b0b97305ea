/** The services and the played game servers of the tests of a protocol: all are closed after each test. */

import { expect } from 'chai';
import { ask, type TestAnswer } from '../ask.ts';
import type { ListedBody } from '../builders.ts';
import { until } from '../until.ts';
import type {
  Environment,
  PlayedGameServer,
  ProtocolDriver,
  ProtocolService,
  Said,
} from './protocol-driver.ts';
import { serve, type ServedProtocol } from './serve.ts';

export const ADMIN_KEY = 'boss';

export const SAID: Said = { name: 'A server', players: 3, maxPlayers: 16 };

export class ProtocolFixture {
  readonly driver: ProtocolDriver;
  readonly #services: ServedProtocol[] = [];
  readonly #gameServers: PlayedGameServer[] = [];

  /** Call it in a describe block. */
  constructor(driver: ProtocolDriver) {
    this.driver = driver;
    afterEach('the services and game servers', async () => {
      await Promise.all(this.#gameServers.splice(0).map((each) => each.close()));
      for (const service of this.#services.splice(0)) await service.close();
    });
  }

  /** A service that speaks the protocol, with further variables. */
  async start(more: Environment = {}): Promise<ServedProtocol> {
    const environment = { GSLS_ADMIN_KEY: ADMIN_KEY, ...(await this.driver.environment()), ...more };
    const service = await serve(this.driver, environment);
    this.#services.push(service);
    const close = async (): Promise<void> => {
      this.#services.splice(this.#services.indexOf(service), 1);
      await service.close();
    };
    return { ...service, close };
  }

  async open(): Promise<PlayedGameServer> {
    const gameServer = await this.driver.open();
    this.#gameServers.push(gameServer);
    return gameServer;
  }

  /** A new game server that the service has taken and shows in both lists. */
  async listed(service: ProtocolService, says = SAID): Promise<PlayedGameServer> {
    const gameServer = await this.open();
    expect(await gameServer.announce(service, says)).to.equal('taken');
    await this.untilShown(service, [gameServer]);
    return gameServer;
  }

  /** Resolves once both lists of the service have just these game servers. */
  async untilShown(service: ProtocolService, gameServers: readonly PlayedGameServer[]): Promise<void> {
    const wanted = portsOf(gameServers);
    await until(async () => portsOf(await this.rows(service)) === wanted);
    await until(async () => portsOf((await this.driver.nativePorts(service)).map(asPort)) === wanted);
  }

  /** The list of the API. */
  async rows(service: ProtocolService): Promise<readonly ListedBody[]> {
    return (await ask(service, 'GET /')).body.servers ?? [];
  }

  /** The line of the game server in the list of the API. */
  async row(service: ProtocolService, { port }: PlayedGameServer): Promise<ListedBody | undefined> {
    return (await this.rows(service)).find((row) => row.port === port);
  }

  /** As a moderator. */
  admin(service: ProtocolService, call: string, body?: object): Promise<TestAnswer> {
    return ask(service, call, { headers: { Authorization: `Bearer ${ADMIN_KEY}` }, ...(body && { body }) });
  }
}

function asPort(port: number): { readonly port: number } {
  return { port };
}

/** In ascending order. */
function portsOf(listed: readonly { readonly port: number }[]): string {
  return listed
    .map(({ port }) => port)
    .toSorted((a, b) => a - b)
    .join();
}
