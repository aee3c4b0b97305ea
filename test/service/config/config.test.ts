/** From flags and variables to a Config: which of them wins, and which values are accepted. */

import { availableParallelism } from 'node:os';
import { expect } from 'chai';
import type { Config } from '../../../src/service/config/config.ts';
import { OPTIONS } from '../../../src/service/config/options.ts';
import { complaintOf, configOf } from './config-of.ts';

const variables = (environment: Record<string, string>): Config => configOf({ environment });

const originsOf = (text: string) => variables({ GSLS_CORS_ORIGIN: text }).corsOrigin;

const workersOf = (text: string): number =>
  variables({ GSLS_WORKERS: text, GSLS_REDIS: 'redis://10.0.0.5' }).workers;

describe('the configuration', () => {
  it('an option that is not given has its default', () => {
    expect(configOf({})).to.deep.include({
      port: 53_600,
      host: '::',
      key: [],
      keyFile: undefined,
      redis: undefined,
      redisSentinel: undefined,
      redisCluster: undefined,
      registry: '',
      ttl: 60,
      keepId: 86_400,
      serverHistoryMost: 100_000,
      uniqueAddress: false,
      maxBody: 16_384,
      maxStale: 3600,
      corsOrigin: ['*'],
      corsWriteOrigin: [],
      logLevel: 'info',
      logFormat: undefined,
      authKeys: [],
      redisAddress: undefined,
    });
  });

  it('a variable wins over the default, and a flag over the variable', () => {
    expect(variables({ GSLS_PORT: '1' }).port).to.equal(1);
    expect(configOf({ flags: { port: ['2'] }, environment: { GSLS_PORT: '1' } }).port).to.equal(2);
    const both = { flags: { key: ['flag'] }, environment: { GSLS_KEY: 'variable' } };
    expect(configOf(both).authKeys).to.deep.equal(['flag']);
  });

  it('a repeated flag has its last value, but every --key counts', () => {
    const { ttl, authKeys } = configOf({ flags: { ttl: ['30', '90'], key: ['a', 'b'] } });
    expect([ttl, authKeys]).to.deep.equal([90, ['a', 'b']]);
  });

  it('an empty variable, as Compose and Kubernetes leave it, means the default', () => {
    const empty = Object.fromEntries(Object.values(OPTIONS).map(({ variable }) => [variable, '']));
    expect(variables(empty)).to.deep.equal(configOf({}));
  });

  it('a variable without the prefix GSLS_ has no effect', () => {
    expect(variables({ PORT: '1', HOST: 'x', gsls_port: '3', npm_config_port: '4' })).to.deep.equal(
      configOf({}),
    );
  });

  it('the configuration is frozen', () => {
    expect(Object.isFrozen(configOf({}))).to.equal(true);
  });

  it('the bounds of a number are accepted', () => {
    expect(
      variables({
        GSLS_PORT: '0',
        GSLS_TTL: '3',
        GSLS_KEEP_ID: '0',
        GSLS_SERVER_HISTORY_MOST: '0',
        GSLS_MAX_BODY: '1024',
        GSLS_MAX_STALE: '0',
      }),
    ).to.include({
      port: 0,
      ttl: 3,
      keepId: 0,
      serverHistoryMost: 0,
      maxBody: 1024,
      maxStale: 0,
    });
    const most = {
      GSLS_PORT: '65535',
      GSLS_TTL: '86400',
      GSLS_MAX_BODY: '1048576',
      GSLS_MAX_STALE: '604800',
    };
    expect(variables(most)).to.include({
      port: 65_535,
      ttl: 86_400,
      maxBody: 1_048_576,
      maxStale: 604_800,
    });
  });

  it('an address or a host name to listen on is accepted', () => {
    for (const host of [
      '::',
      '0.0.0.0',
      '127.0.0.1',
      '::1',
      'fe80::1%eth0',
      'localhost',
      'node-1.example.com',
    ])
      expect(variables({ GSLS_HOST: host }).host).to.equal(host);
  });

  it('a switch is on or off in several words, and on when given alone', () => {
    for (const text of ['true', 'YES', 'on', '1'])
      expect(variables({ GSLS_UNIQUE_ADDRESS: text }).uniqueAddress).to.equal(true);
    for (const text of ['false', 'No', 'off', '0'])
      expect(variables({ GSLS_UNIQUE_ADDRESS: text }).uniqueAddress).to.equal(false);
    expect(configOf({ flags: { uniqueAddress: true } }).uniqueAddress).to.equal(true);
  });

  it('origins are any, none, or several', () => {
    expect(originsOf('*')).to.deep.equal(['*']);
    expect(originsOf('none')).to.deep.equal([]);
    expect(originsOf('https://a.example, http://b.example:8080')).to.deep.equal([
      'https://a.example',
      'http://b.example:8080',
    ]);
  });

  it('there are as many workers as are asked for, or as this machine has cores', () => {
    expect(configOf({}).workers).to.equal(1);
    expect([workersOf('1'), workersOf('256')]).to.deep.equal([1, 256]);
    expect(workersOf('auto')).to.equal(Math.min(availableParallelism(), 256));
  });

  it('several workers need Redis, in any of its forms, and one does not', () => {
    expect(variables({ GSLS_WORKERS: '1' }).workers).to.equal(1);
    expect(complaintOf({ flags: { workers: ['2'] } })).to.equal(
      '--workers needs --redis, --redis-sentinel or --redis-cluster as well: a registry in memory belongs to one process',
    );
    for (const [variable, text] of [
      ['GSLS_REDIS', 'redis://10.0.0.5'],
      ['GSLS_REDIS_SENTINEL', '10.0.0.5'],
      ['GSLS_REDIS_CLUSTER', '10.0.0.5'],
    ] as const)
      expect(variables({ GSLS_WORKERS: '2', [variable]: text }).workers).to.equal(2);
  });

  it('the verification is off by default, and hides what is not verified when it is on', () => {
    expect(configOf({})).to.include({ verify: undefined, verifyNetworks: undefined, unverified: 'hide' });
    const { verify, verifyNetworks, unverified } = variables({
      GSLS_VERIFY: 'a2s',
      GSLS_VERIFY_NETWORKS: 'loopback,10.0.0.0/8,2000::/3',
      GSLS_UNVERIFIED: 'show',
    });
    expect([verify, unverified]).to.deep.equal(['a2s', 'show']);
    const seen = variables({ GSLS_VERIFY: 'quake3', GSLS_PLAYERS_SEEN: 'true' });
    expect([seen.verify, seen.playersSeen, variables({}).playersSeen]).to.deep.equal(['quake3', true, false]);
    const held = ['127.0.0.1', '10.1.2.3', '2001:db8::1', '192.168.0.5'].map((ip) => verifyNetworks!.has(ip));
    expect(held).to.deep.equal([true, true, true, false]);
  });

  it('the variables that Kubernetes sets next to Services named gsls and gsls-ops have no effect', () => {
    const set = {
      GSLS_SERVICE_HOST: '10.0.0.1',
      GSLS_SERVICE_PORT: '1',
      GSLS_PORT_53600_TCP: 'tcp://10.0.0.1:1',
      GSLS_OPS_SERVICE_HOST: '10.0.0.1',
      GSLS_OPS_PORT_53601_TCP: 'tcp://10.0.0.1:1',
    };
    expect(variables(set)).to.deep.equal(configOf({}));
  });
});
