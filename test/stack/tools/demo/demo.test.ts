/** `gsls demo` as a user starts it, and the options that it cannot have. */

import { expect } from 'chai';
import { refuseContradictions } from '../../../../src/tools/demo/demo.ts';
import { createConfig } from '../../../../src/service/config/config.ts';
import type { Flags, OptionName } from '../../../../src/service/config/layers.ts';
import { UsageError } from '../../../../src/runtime/usage-error.ts';
import { OPTIONS } from '../../../../src/service/config/options.ts';
import { ask } from '../../../support/ask.ts';
import { runCli, startListeningCli } from '../../../support/start-cli.ts';
import { expectComplaint } from '../../cli/expect-complaint.ts';

/** What the demo says to an option; undefined if it takes it. */
function complaintOf(
  flags: Flags,
  environment: Record<string, string> = {},
  servers = 100,
): string | undefined {
  const config = createConfig({ flags, environment, readFile: () => '{}' });
  try {
    refuseContradictions(config, servers);
    return undefined;
  } catch (error) {
    expect(error).to.be.an.instanceOf(UsageError);
    return (error as Error).message;
  }
}

/** A value of each option that it takes, as far as it could do harm to the demo; true for a switch. */
const TAKEN: Partial<Record<OptionName, string | true>> = {
  keepId: '60',
  serverHistoryMost: '1000',
  opsPort: '0',
  opsHost: '127.0.0.1',
  beaconPort: '0',
  beacons: '{"fra":"https://fra.example.com"}',
  key: 'key',
  publicRead: true,
  allowUnlisted: true,
  adminKey: 'admin',
  requireServerToken: true,
  tokenSecret: '0123456789abcdef',
  trustProxy: 'loopback',
  clientAddressHeader: 'Forwarded',
  maxServers: '100',
  maxServersPerAddress: '100',
  quotaExempt: '10.0.0.0/8',
  rateLimit: 'list=99/m,join=1/m',
  maxConnections: '32',
  maxConnectionsPerAddress: '32',
  maxStreams: '1',
  maxStreamsPerAddress: '1',
  noLoadShedding: true,
  labels: 'cup',
  reportReasons: 'spam',
  reportNotes: true,
  reportHides: '5',
  moderatorHeader: 'X-User',
  moderatorProxies: '10.0.0.2',
  registry: 'eu',
  ttl: '6',
  uniqueAddress: true,
  noMassExpiryHold: true,
  noWriteBack: true,
  maxBody: '1024',
  maxWaiting: '1048576',
  maxStale: '0',
  listMaxAge: '1000',
  feedInterval: '100',
  corsOrigin: 'none',
  corsWriteOrigin: 'https://play.example.com',
  pageRedirect: true,
  pageTitle: 'Ironvale',
  pageNotice: 'A demo',
  pageConnect: 'steam://connect/{address}',
  pageAccent: '#123456',
  pageMetaFilters: 'language,ruleset',
  pageHideLabels: '18+',
  pageRegions: 'eu=Europe,na=North America',
  publicUrl: 'https://servers.example.com',
  pageEmbedOrigins: '*',
  drainDelay: '1',
  logLevel: 'debug',
  logFormat: 'json',
  logAddresses: 'none',
};

/** Those that every test of a process gives, or that read a file and do no more than the option beside them. */
const TAKEN_AS_WELL: readonly OptionName[] = [
  ...(['port', 'host', 'noPage', 'keyFile', 'adminKeyFile', 'tokenSecretFile', 'pageLogo'] as const),
  // They need --verify.
  ...(['verifyNetworks', 'unverified', 'playersSeen'] as const),
  // Other protocols are refused with a key.
  ...(['protocols', 'maxProtocolBytesPerAddress', 'dpmasterPort'] as const),
  ...(['dpmasterHost', 'dpmasterGames', 'dpmasterProperties'] as const),
];

/** What cannot be, and how it is said. */
const REFUSED: readonly [flags: Flags, complaint: RegExp][] = [
  [{ redis: ['redis://127.0.0.1'] }, /^gsls demo keeps its list in memory, .*: leave out --redis$/],
  [{ redisSentinel: ['127.0.0.1'] }, /: leave out --redis-sentinel$/],
  [{ redisCluster: ['127.0.0.1'] }, /: leave out --redis-cluster$/],
  [
    { workers: ['2'], redis: ['redis://127.0.0.1'] },
    /^gsls demo keeps its list in the memory of one process: leave out --workers$/,
  ],
  [{ config: ['gsls.yaml'] }, /serves one registry, and reads no file: leave out --config$/],
  [{ registryIndex: true }, /^gsls demo serves one registry: leave out --registry-index$/],
  [{ totalServers: ['99'] }, /: leave out --total-servers$/],
  [{ totalStreams: ['99'] }, /: leave out --total-streams$/],
  [
    { mirrors: ['http://a'], mirrorKeys: ['a=b'], mirrorKeep: ['list'] },
    /^gsls demo lists game servers of its own: leave out --mirrors$/,
  ],
  [{ dataFile: ['list'] }, /^gsls demo leaves nothing behind, .*: leave out --data-file$/],
  [{ trustProxy: ['loopback'], proxyProtocol: true }, /through no proxy: leave out --proxy-protocol$/],
  [{ verify: ['tcp'] }, /answer nowhere: leave out --verify$/],
  [{ verifySource: true }, /: leave out --verify-source$/],
  [{ publicAddressesOnly: true }, /kept for documentation: leave out --public-addresses-only$/],
  [{ geoFile: ['country.mmdb'] }, /at addresses that are in no country: leave out --geo-file$/],
  [{ detailsSchema: ['schema.json'] }, /: leave out --details-schema$/],
  [{ maxServers: ['99'] }, /^gsls demo lists 100 game servers .*: leave out --max-servers$/],
  [{ maxServersPerAddress: ['99'] }, /: leave out --max-servers-per-address$/],
  [{ maxConnections: ['31'] }, /^gsls demo needs 32 connections .*: leave out --max-connections$/],
  [{ maxConnectionsPerAddress: ['31'] }, /: leave out --max-connections-per-address$/],
  [{ rateLimit: ['list=9/m,ping=1000/m'] }, /can limit list and join alone: leave out --rate-limit$/],
];

describe('gsls demo', function () {
  this.timeout(120_000);

  it('lists a hundred game servers before it tells where they are seen, and Ctrl-C ends it', async () => {
    const cli = await startListeningCli(['demo', '--key', 'secret']);
    try {
      const headers = { Authorization: 'secret' };
      expect((await ask(cli, 'GET /', { headers })).body.count).to.equal(100);
      expect((await ask(cli, 'GET /')).status).to.equal(401);
      const { text } = await ask(cli, 'GET /history?step=hour', { headers });
      expect((JSON.parse(text) as { points: unknown[] }).points).to.have.length(30 * 24);
      const { msg } = await cli.logged('the demo');
      expect(msg).to.equal(
        `the demo has listed 100 invented game servers: see ${cli.url}/browse; Ctrl-C ends it, and leaves nothing behind`,
      );
      cli.kill('SIGINT');
      const { code, stderr } = await cli.exited;
      expect([code, stderr]).to.deep.equal([0, '']);
      expect(cli.log.filter(({ level }) => level > 30)).to.deep.equal([]);
    } finally {
      await cli.stop();
    }
  });

  it('takes another number of game servers, and says where the list is without the page', async () => {
    const cli = await startListeningCli(['demo', '--servers', '7', '--no-page', '--require-server-token']);
    try {
      expect((await ask(cli, 'GET /')).body.count).to.equal(7);
      expect((await cli.logged('the demo')).msg).to.include(
        `7 invented game servers: see ${cli.url}/servers;`,
      );
      expect((await cli.logged('listening')).msg).to.equal(`listening on ${cli.url}`);
    } finally {
      await cli.stop();
    }
  });

  it('ends with code 2 and one line where an option contradicts it, by flag or by variable', async () => {
    expectComplaint(
      await runCli(['demo', '--data-file', 'x']),
      2,
      /: leave out --data-file; see gsls --help$/m,
    );
    const variables = { GSLS_REDIS: 'redis://127.0.0.1:1' };
    expectComplaint(await runCli(['demo'], variables), 2, /: leave out GSLS_REDIS; see gsls --help$/m);
    expectComplaint(
      await runCli(['demo', '--servers', '10001']),
      2,
      /--servers must be an integer from 1 to 10000/,
    );
    expectComplaint(await runCli(['demo', 'now']), 2, /demo takes options only/);
    expectComplaint(await runCli(['--servers', '5']), 2, /unknown option --servers/);
  });

  it('refuses what would keep its game servers off the list', () => {
    for (const [flags, complaint] of REFUSED)
      expect(complaintOf(flags), JSON.stringify(flags)).to.match(complaint);
    const named = [
      ...REFUSED.flatMap(([flags]) => Object.keys(flags)),
      ...Object.keys(TAKEN),
      ...TAKEN_AS_WELL,
    ];
    const isSaid = (name: string): boolean => name.startsWith('redis') || named.includes(name);
    expect(Object.keys(OPTIONS).filter((name) => !isSaid(name))).to.deep.equal([]);
  });

  it('lists all its game servers with every option that it takes', async () => {
    const args = Object.entries(TAKEN).flatMap(([name, value]) => {
      const { flag } = OPTIONS[name as OptionName];
      return value === true ? [flag] : [flag, value];
    });
    const cli = await startListeningCli(['demo', ...args]);
    try {
      expect((await ask(cli, 'GET /')).body.count).to.equal(100);
      expect(cli.log.filter(({ level }) => level > 30)).to.deep.equal([]);
    } finally {
      await cli.stop();
    }
  });

  it('takes limits that leave room for it', () => {
    expect(complaintOf({ maxServers: ['100'], maxServersPerAddress: ['100'] })).to.equal(undefined);
    expect(complaintOf({ maxConnections: ['32'], rateLimit: ['list=9/m,join=9/m'] })).to.equal(undefined);
    expect(complaintOf({}, { GSLS_VERIFY_SOURCE: 'false' })).to.equal(undefined);
    expect(complaintOf({ maxServers: ['50'] }, {}, 50)).to.equal(undefined);
  });

  it('has as many game servers as one process carries', () => {
    expect(complaintOf({ ttl: ['3'] })).to.equal(undefined);
    expect(complaintOf({}, {}, 10_000)).to.equal(undefined);
    expect(complaintOf({ ttl: ['30'] }, {}, 10_000)).to.match(/give --ttl 60 or more, or fewer --servers$/);
  });
});
