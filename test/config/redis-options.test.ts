/** The options about Redis together: which address they come to, and which of them contradict each other. */

import { expect } from 'chai';
import { createConfig, type Config, type Flags } from '../../src/config/config.ts';
import { UsageError } from '../../src/config/option.ts';
import { describeAddress } from '../../src/registry/redis/connection/redis-address.ts';
import { createCertificate, hasOpenssl } from '../support/certificate.ts';

type Environment = Readonly<Record<string, string>>;
type Files = Readonly<Record<string, string>>;

function addressOf(environment: Environment, files: Files = {}, flags: Flags = {}): Config['redisAddress'] {
  const readFile = (path: string): string => {
    if (files[path] === undefined) throw new Error(`ENOENT: no such file, open '${path}'`);
    return files[path];
  };
  return createConfig({ flags, environment, readFile }).redisAddress;
}

/** The message, which has to be one line without a secret in it. */
function complaintAbout(environment: Environment, files: Files = {}, flags: Flags = {}): string {
  try {
    addressOf(environment, files, flags);
  } catch (error) {
    expect(error).to.be.instanceOf(UsageError);
    const { message } = error as Error;
    expect(message)
      .to.match(/^[^\n]+$/)
      .and.not.to.include('hunter2');
    return message;
  }
  throw new Error('there was nothing to complain about');
}

const shown = (environment: Environment): string => describeAddress(addressOf(environment)!);

describe('the options about Redis', () => {
  describe('come to', () => {
    it('no address when nothing is said', () => {
      expect(addressOf({})).to.equal(undefined);
    });

    it('the address of one Redis', () => {
      const said = { GSLS_REDIS: 'redis://h', GSLS_REDIS_DATABASE: '3', GSLS_REDIS_USER: 'u' };
      expect(addressOf({ ...said, GSLS_REDIS_PASSWORD: 'p w' })).to.deep.equal({
        kind: 'standalone',
        host: 'h',
        port: 6379,
        database: 3,
        username: 'u',
        password: 'p w',
      });
    });

    it('a master that sentinels name, with the default port and name', () => {
      expect(addressOf({ GSLS_REDIS_SENTINEL: 'a, b:1,[2001:db8::1],[::1]:2' })).to.deep.equal({
        kind: 'sentinel',
        sentinels: [
          { host: 'a', port: 26_379 },
          { host: 'b', port: 1 },
          { host: '2001:db8::1', port: 26_379 },
          { host: '::1', port: 2 },
        ],
        masterName: 'mymaster',
        database: 0,
      });
    });

    it('a master with the users and passwords of both kinds', () => {
      const said = {
        GSLS_REDIS_SENTINEL: 'a',
        GSLS_REDIS_MASTER: 'games',
        GSLS_REDIS_DATABASE: '1',
        GSLS_REDIS_USER: 'gsls',
        GSLS_REDIS_PASSWORD: 'one',
        GSLS_REDIS_SENTINEL_USER: 'watcher',
        GSLS_REDIS_SENTINEL_PASSWORD: 'two',
      };
      expect(addressOf(said)).to.deep.equal({
        kind: 'sentinel',
        sentinels: [{ host: 'a', port: 26_379 }],
        masterName: 'games',
        database: 1,
        username: 'gsls',
        password: 'one',
        sentinelUsername: 'watcher',
        sentinelPassword: 'two',
      });
    });

    it('a Cluster', () => {
      expect(addressOf({ GSLS_REDIS_CLUSTER: 'a,b:7000' })).to.deep.equal({
        kind: 'cluster',
        nodes: [
          { host: 'a', port: 6379 },
          { host: 'b', port: 7000 },
        ],
        database: 0,
      });
    });

    it('a user from the URL with a password from elsewhere', () => {
      const said = { GSLS_REDIS: 'redis://gsls@h', GSLS_REDIS_PASSWORD_FILE: 'secret' };
      expect(addressOf(said, { secret: 'p' })).to.include({ username: 'gsls', password: 'p' });
    });

    it('passwords out of files, without the line end of an editor', () => {
      const said = {
        GSLS_REDIS_SENTINEL: 'a',
        GSLS_REDIS_PASSWORD_FILE: 'one',
        GSLS_REDIS_SENTINEL_PASSWORD_FILE: 'two',
      };
      expect(addressOf(said, { one: ' p \n', two: 'q\r\n' })).to.include({
        password: ' p ',
        sentinelPassword: 'q',
      });
    });

    it('TLS when the switch is on, with the name to expect', () => {
      for (const form of ['GSLS_REDIS_SENTINEL', 'GSLS_REDIS_CLUSTER'])
        expect(addressOf({ [form]: 'a', GSLS_REDIS_TLS: 'yes' })).to.deep.include({ tls: {} });
      const said = { GSLS_REDIS_TLS: 'true', GSLS_REDIS_SERVER_NAME: 'redis.internal' };
      const withTls = { tls: { serverName: 'redis.internal' } };
      expect(addressOf({ ...said, GSLS_REDIS: 'redis://10.0.0.5' })).to.deep.include(withTls);
      expect(addressOf({ ...said, GSLS_REDIS: 'rediss://10.0.0.5' })).to.deep.include(withTls);
    });

    it('the certificates in a CA file, whatever else it holds', function () {
      if (!hasOpenssl()) this.skip();
      const certificate = createCertificate('redis.internal');
      certificate.remove();
      const pem = certificate.pem.trim();
      const said = { GSLS_REDIS: 'rediss://h', GSLS_REDIS_CA: 'ca.pem' };
      const address = addressOf(said, { 'ca.pem': `our CA\n${pem}\nthe old one\n${pem}` });
      expect(address!.tls).to.deep.equal({ ca: `${pem}\n${pem}` });
    });
  });

  describe('are refused', () => {
    const [one, sentinel, cluster] = [
      { GSLS_REDIS: 'redis://h' },
      { GSLS_REDIS_SENTINEL: 'a' },
      { GSLS_REDIS_CLUSTER: 'a' },
    ];
    const full = { GSLS_REDIS: 'redis://user:hunter2@h/1' };
    const REFUSED: readonly (readonly [what: string, said: Environment, complaint: string])[] = [
      [
        'when they say where Redis is twice',
        { ...one, ...cluster },
        'GSLS_REDIS and GSLS_REDIS_CLUSTER cannot be given together: say where Redis is in one way',
      ],
      [
        'when they say where Redis is three times',
        { ...one, ...sentinel, ...cluster },
        'GSLS_REDIS and GSLS_REDIS_SENTINEL and GSLS_REDIS_CLUSTER cannot be given together: say where Redis is in one way',
      ],
      ...[
        'GSLS_REDIS_MASTER',
        'GSLS_REDIS_DATABASE',
        'GSLS_REDIS_USER',
        'GSLS_REDIS_PASSWORD',
        'GSLS_REDIS_PASSWORD_FILE',
        'GSLS_REDIS_SENTINEL_USER',
        'GSLS_REDIS_SENTINEL_PASSWORD',
        'GSLS_REDIS_SENTINEL_PASSWORD_FILE',
        'GSLS_REDIS_TLS',
        'GSLS_REDIS_CA',
        'GSLS_REDIS_SERVER_NAME',
      ].map(
        (variable) =>
          [
            `when there is ${variable} and no Redis`,
            { [variable]: '1' },
            `${variable} needs --redis, --redis-sentinel or --redis-cluster beside it`,
          ] as const,
      ),
      ...[
        'GSLS_REDIS_MASTER',
        'GSLS_REDIS_SENTINEL_USER',
        'GSLS_REDIS_SENTINEL_PASSWORD',
        'GSLS_REDIS_SENTINEL_PASSWORD_FILE',
      ].map(
        (variable) =>
          [
            `when there is ${variable} and no sentinel`,
            { ...cluster, [variable]: 'x' },
            `${variable} needs --redis-sentinel beside it`,
          ] as const,
      ),
      ...['GSLS_REDIS_CA', 'GSLS_REDIS_SERVER_NAME'].map(
        (variable) =>
          [
            `when there is ${variable} and no TLS`,
            { ...sentinel, [variable]: 'x', GSLS_REDIS_TLS: 'no' },
            `${variable} needs TLS: add --redis-tls, or begin the URL with rediss://`,
          ] as const,
      ),
      [
        'when they name a database of a Cluster',
        { ...cluster, GSLS_REDIS_DATABASE: '1' },
        'GSLS_REDIS_DATABASE cannot be given with GSLS_REDIS_CLUSTER: a Cluster has only one database',
      ],
      ...['GSLS_REDIS_DATABASE', 'GSLS_REDIS_USER', 'GSLS_REDIS_PASSWORD', 'GSLS_REDIS_PASSWORD_FILE'].map(
        (variable) =>
          [
            `when ${variable} says what the URL says`,
            { ...full, [variable]: '1' },
            `${variable} says what the URL of GSLS_REDIS says as well: leave one of them out`,
          ] as const,
      ),
      [
        'when TLS is off and the URL says it is on',
        { GSLS_REDIS: 'rediss://h', GSLS_REDIS_TLS: 'off' },
        'GSLS_REDIS_TLS cannot be off when the URL of GSLS_REDIS begins with rediss://',
      ],
      [
        'when there are two passwords',
        { ...cluster, GSLS_REDIS_PASSWORD: 'hunter2', GSLS_REDIS_PASSWORD_FILE: 'f' },
        'GSLS_REDIS_PASSWORD and GSLS_REDIS_PASSWORD_FILE cannot be given together: leave one of them out',
      ],
      [
        'when there are two passwords for the sentinels',
        { ...sentinel, GSLS_REDIS_SENTINEL_PASSWORD: 'hunter2', GSLS_REDIS_SENTINEL_PASSWORD_FILE: 'f' },
        'GSLS_REDIS_SENTINEL_PASSWORD and GSLS_REDIS_SENTINEL_PASSWORD_FILE cannot be given together: leave one of them out',
      ],
    ];

    for (const [what, said, complaint] of REFUSED)
      it(what, () => expect(complaintAbout(said)).to.equal(complaint));

    it('under the name of the flag when it was the flag', () => {
      expect(complaintAbout({}, {}, { redisMaster: ['games'] })).to.match(/^--redis-master needs /);
      expect(complaintAbout(full, {}, { redisPassword: ['hunter2'] })).to.equal(
        '--redis-password says what the URL of GSLS_REDIS says as well: leave one of them out',
      );
    });

    it('when a secret is empty, or an address may be a URL with one, without repeating it', () => {
      expect(complaintAbout({}, {}, { redisPassword: [''] })).to.equal('--redis-password must not be empty');
      expect(complaintAbout({ GSLS_REDIS_PASSWORD: 'hunter2\n' })).to.match(/must not hold control/);
      expect(complaintAbout({ GSLS_REDIS_SENTINEL: 'redis://:hunter2@h' })).to.match(
        /must be like host:26379/,
      );
    });

    it('when a password file holds something else than a password', () => {
      const said = { ...one, GSLS_REDIS_PASSWORD_FILE: 'f' };
      expect(complaintAbout(said)).to.match(/^the password file f cannot be read: ENOENT/);
      expect(complaintAbout(said, { f: 'p\uFFFDss' })).to.equal('the password file f is not text in UTF-8');
      expect(complaintAbout(said, { f: '\n' })).to.equal('the password file f is empty');
      expect(complaintAbout(said, { f: 'hunter2\nhunter3' })).to.equal(
        'the password file f must hold the password and nothing else, in one line',
      );
    });

    it('when a CA file holds no certificate', () => {
      const said = { GSLS_REDIS: 'rediss://h', GSLS_REDIS_CA: 'f' };
      const [begin, end] = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----'];
      expect(complaintAbout(said)).to.match(/^the CA file f cannot be read: ENOENT/);
      expect(complaintAbout(said, { f: '-----BEGIN PRIVATE KEY-----' })).to.equal(
        'the CA file f holds no certificate: it has to be in PEM form',
      );
      expect(complaintAbout(said, { f: `${begin}\naGVsbG8=\n${end}\n` })).to.equal(
        'the CA file f holds something that looks like a certificate and is none',
      );
    });
  });

  it('are shown in logs without the secrets', () => {
    const secrets = { GSLS_REDIS_USER: 'user', GSLS_REDIS_PASSWORD: 'hunter2' };
    expect(shown({ GSLS_REDIS: 'redis://user:hunter2@h/1' })).to.equal('h:6379');
    expect(shown({ GSLS_REDIS_SENTINEL: 'a,[::1]:2', ...secrets })).to.equal(
      'mymaster of the sentinels a:26379, [::1]:2',
    );
    expect(shown({ GSLS_REDIS_CLUSTER: 'a,b:7000', ...secrets })).to.equal('the Cluster of a:6379, b:7000');
  });
});
