/** What `gsls announce` makes of words, variables and its file. */

import { expect } from 'chai';
import {
  createAnnounceConfig,
  type AnnounceConfig,
  type AnnounceSources,
} from '../../../../src/tools/announce/config/announce-config.ts';
import { createConfig } from '../../../../src/service/config/config.ts';

const FLAGS = { to: ['http://localhost:53600'], query: ['a2s 127.0.0.1:27015'] };

function configOf(
  flags: AnnounceSources['flags'],
  environment: AnnounceSources['environment'] = {},
  files: Readonly<Record<string, unknown>> = {},
): AnnounceConfig {
  return createAnnounceConfig({
    flags,
    environment,
    readFile: (path) => (typeof files[path] === 'string' ? files[path] : JSON.stringify(files[path])),
    hostName: 'this-machine',
  });
}

describe('the configuration of gsls announce', () => {
  it('says little of its own: the game says the rest', () => {
    const [server] = configOf(FLAGS).gameServers;
    expect(server).to.deep.equal({
      source: { is: 'query', kind: 'a2s', target: { host: '127.0.0.1', port: 27_015 } },
      services: [{ url: 'http://localhost:53600', key: undefined }],
      queryIntervalMs: 5000,
      queryTimeoutMs: 1000,
      identity: '127.0.0.1:27015',
      host: 'this-machine',
      isHostOfMachine: true,
      port: 27_015,
      ip: 'auto',
      name: undefined,
      maxPlayers: undefined,
      details: {},
      isUnlisted: false,
    });
  });

  it('has the host of a query that others can reach', () => {
    const [server] = configOf({ ...FLAGS, query: ['a2s eu1.example.com:27015'] }).gameServers;
    expect(server).to.include({ host: 'eu1.example.com', identity: 'eu1.example.com:27015' });
  });

  it('takes a flag before a variable, and an empty variable for none', () => {
    const environment = { GSLS_ANNOUNCE_REGION: 'eu', GSLS_ANNOUNCE_NAME: 'Mine', GSLS_ANNOUNCE_IP: '' };
    const [server] = configOf({ ...FLAGS, region: ['na'] }, environment).gameServers;
    expect(server).to.deep.include({ details: { region: 'na' }, name: 'Mine', ip: 'auto' });
  });

  it('gives each game server of a file what it says itself, then flags and variables, then the defaults', () => {
    const file = {
      region: 'top',
      'query-interval': 9,
      tags: ['top'],
      servers: [
        { query: 'a2s 127.0.0.1:1', region: 'own', meta: { a: 1 }, unlisted: true },
        { query: 'a2s 127.0.0.1:2' },
      ],
    };
    const config = configOf(
      { to: ['http://one.test', 'http://two.test'], config: ['f.json'], tags: ['flag'] },
      {},
      { 'f.json': file },
    );
    const [first, second] = config.gameServers;
    expect(first).to.deep.include({
      details: { region: 'own', tags: ['flag'], meta: { a: 1 } },
      queryIntervalMs: 9000,
      isUnlisted: true,
    });
    expect(first!.services.map(({ url }) => url)).to.deep.equal(['http://one.test', 'http://two.test']);
    expect(second).to.deep.include({ details: { region: 'top', tags: ['flag'] }, isUnlisted: false });
  });

  it('sends the key of a game server to its services, and the one of all to the others', () => {
    const servers = [
      { query: 'a2s 127.0.0.1:1', to: 'http://one.test', 'key-file': 'own' },
      { query: 'a2s 127.0.0.1:1', to: 'http://two.test' },
    ];
    const files = { 'f.json': { servers }, own: '# of one\nthe own key\n' };
    const { gameServers } = configOf({ config: ['f.json'] }, { GSLS_KEY: 'the key of all' }, files);
    expect(gameServers.map(({ services }) => services[0])).to.deep.equal([
      { url: 'http://one.test', key: 'the own key' },
      { url: 'http://two.test', key: 'the key of all' },
    ]);
  });

  it('leaves the variables of the service alone, as the service does with these', () => {
    const environment = {
      GSLS_PORT: '8080',
      GSLS_ANNOUNCE_REGION: 'eu',
      GSLS_ANNOUNCE_SERVICE_HOST: '10.0.0.1',
    };
    expect(configOf(FLAGS, environment).gameServers).to.have.length(1);
    const config = createConfig({ flags: {}, environment, readFile: () => '' });
    expect(config.port).to.equal(8080);
  });
});
