/** The options about Redis together: which address they give, and which of them contradict each other. */

import { rootCertificates } from 'node:tls';
import { expect } from 'chai';
import { createConfig, type Config } from '../../../src/service/config/config.ts';
import type { Flags } from '../../../src/service/config/layers.ts';
import { UsageError } from '../../../src/runtime/usage-error.ts';
import { describeAddress } from '../../../src/registry/redis/connection/redis-address.ts';

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
  describe('together', () => {
    it('no options give no address', () => {
      expect(addressOf({})).to.equal(undefined);
    });

    it('a URL with a database, a user and a password gives the address of one Redis', () => {
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

    it('sentinels give a master, with the default port and name', () => {
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

    it('a master and its sentinels have users and passwords of their own', () => {
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

    it('nodes give a Cluster', () => {
      expect(addressOf({ GSLS_REDIS_CLUSTER: 'a,b:7000' })).to.deep.equal({
        kind: 'cluster',
        nodes: [
          { host: 'a', port: 6379 },
          { host: 'b', port: 7000 },
        ],
        database: 0,
      });
    });

    it('a user in the URL goes with a password from another option', () => {
      const said = { GSLS_REDIS: 'redis://gsls@h', GSLS_REDIS_PASSWORD_FILE: 'secret' };
      expect(addressOf(said, { secret: 'p' })).to.include({ username: 'gsls', password: 'p' });
    });

    it('passwords come out of files, without the line end of an editor', () => {
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

    it('the switch for TLS gives TLS, with the name to expect', () => {
      for (const form of ['GSLS_REDIS_SENTINEL', 'GSLS_REDIS_CLUSTER'])
        expect(addressOf({ [form]: 'a', GSLS_REDIS_TLS: 'yes' })).to.deep.include({ tls: {} });
      const said = { GSLS_REDIS_TLS: 'true', GSLS_REDIS_SERVER_NAME: 'redis.internal' };
      const withTls = { tls: { serverName: 'redis.internal' } };
      expect(addressOf({ ...said, GSLS_REDIS: 'redis://10.0.0.5' })).to.deep.include(withTls);
      expect(addressOf({ ...said, GSLS_REDIS: 'rediss://10.0.0.5' })).to.deep.include(withTls);
    });

    it('a CA file gives its certificates, whatever else it holds', () => {
      const pem = rootCertificates[0]!;
      const said = { GSLS_REDIS: 'rediss://h', GSLS_REDIS_CA: 'ca.pem' };
      const address = addressOf(said, { 'ca.pem': `our CA\n${pem}\nthe old one\n${pem}` });
      expect(address!.tls).to.deep.equal({ ca: `${pem}\n${pem}` });
    });
  });

  describe('refused', () => {
    const [one, sentinel, cluster] = [
      { GSLS_REDIS: 'redis://h' },
      { GSLS_REDIS_SENTINEL: 'a' },
      { GSLS_REDIS_CLUSTER: 'a' },
    ];
    const full = { GSLS_REDIS: 'redis://user:hunter2@h/1' };
    const REFUSED: readonly (readonly [what: string, said: Environment, complaint: string])[] = [
      [
        'two places of Redis are refused',
        { ...one, ...cluster },
        'GSLS_REDIS and GSLS_REDIS_CLUSTER cannot be given together: say where Redis is in one way',
      ],
      [
        'three places of Redis are refused',
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
            `${variable} without a Redis is refused`,
            { [variable]: '1' },
            `${variable} needs --redis, --redis-sentinel or --redis-cluster as well`,
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
            `${variable} without a sentinel is refused`,
            { ...cluster, [variable]: 'x' },
            `${variable} needs --redis-sentinel as well`,
          ] as const,
      ),
      ...['GSLS_REDIS_CA', 'GSLS_REDIS_SERVER_NAME'].map(
        (variable) =>
          [
            `${variable} without TLS is refused`,
            { ...sentinel, [variable]: 'x', GSLS_REDIS_TLS: 'no' },
            `${variable} needs TLS: add --redis-tls, or begin the URL with rediss://`,
          ] as const,
      ),
      [
        'a database of a Cluster is refused',
        { ...cluster, GSLS_REDIS_DATABASE: '1' },
        'GSLS_REDIS_DATABASE cannot be given with GSLS_REDIS_CLUSTER: a Cluster has only one database',
      ],
      ...['GSLS_REDIS_DATABASE', 'GSLS_REDIS_USER', 'GSLS_REDIS_PASSWORD', 'GSLS_REDIS_PASSWORD_FILE'].map(
        (variable) =>
          [
            `${variable} beside the same part of the URL is refused`,
            { ...full, [variable]: '1' },
            `${variable} repeats a part of the URL of GSLS_REDIS: leave one of them out`,
          ] as const,
      ),
      [
        'TLS that is off, but on in the URL, is refused',
        { GSLS_REDIS: 'rediss://h', GSLS_REDIS_TLS: 'off' },
        'GSLS_REDIS_TLS cannot be off while the URL of GSLS_REDIS begins with rediss://',
      ],
      [
        'a password and a password file together are refused',
        { ...cluster, GSLS_REDIS_PASSWORD: 'hunter2', GSLS_REDIS_PASSWORD_FILE: 'f' },
        'GSLS_REDIS_PASSWORD and GSLS_REDIS_PASSWORD_FILE cannot be given together: leave one of them out',
      ],
      [
        'a password and a password file for the sentinels together are refused',
        { ...sentinel, GSLS_REDIS_SENTINEL_PASSWORD: 'hunter2', GSLS_REDIS_SENTINEL_PASSWORD_FILE: 'f' },
        'GSLS_REDIS_SENTINEL_PASSWORD and GSLS_REDIS_SENTINEL_PASSWORD_FILE cannot be given together: leave one of them out',
      ],
    ];

    for (const [what, said, complaint] of REFUSED)
      it(what, () => expect(complaintAbout(said)).to.equal(complaint));

    it('a flag is reported under the name of the flag', () => {
      expect(complaintAbout({}, {}, { redisMaster: ['games'] })).to.match(/^--redis-master needs /);
      expect(complaintAbout(full, {}, { redisPassword: ['hunter2'] })).to.equal(
        '--redis-password repeats a part of the URL of GSLS_REDIS: leave one of them out',
      );
    });

    it('a secret that is empty, or in an address, is refused and not repeated', () => {
      expect(complaintAbout({}, {}, { redisPassword: [''] })).to.equal('--redis-password must not be empty');
      expect(complaintAbout({ GSLS_REDIS_PASSWORD: 'hunter2\n' })).to.match(/must not hold control/);
      expect(complaintAbout({ GSLS_REDIS_SENTINEL: 'redis://:hunter2@h' })).to.match(
        /must be like host:26379/,
      );
    });

    it('a password file that does not hold one password is refused', () => {
      const said = { ...one, GSLS_REDIS_PASSWORD_FILE: 'f' };
      expect(complaintAbout(said)).to.match(/^the password file f cannot be read: ENOENT/);
      expect(complaintAbout(said, { f: 'p\uFFFDss' })).to.equal('the password file f is not text in UTF-8');
      expect(complaintAbout(said, { f: '\n' })).to.equal('the password file f is empty');
      expect(complaintAbout(said, { f: 'hunter2\nhunter3' })).to.equal(
        'the password file f must hold the password and nothing else, in one line',
      );
    });

    it('a CA file without a certificate is refused', () => {
      const said = { GSLS_REDIS: 'rediss://h', GSLS_REDIS_CA: 'f' };
      const [begin, end] = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----'];
      expect(complaintAbout(said)).to.match(/^the CA file f cannot be read: ENOENT/);
      expect(complaintAbout(said, { f: '-----BEGIN PRIVATE KEY-----' })).to.equal(
        'the CA file f holds no certificate: it must be in PEM form',
      );
      expect(complaintAbout(said, { f: `${begin}\naGVsbG8=\n${end}\n` })).to.equal(
        'the CA file f holds a certificate that cannot be read',
      );
    });
  });

  it('an address is described without its secrets', () => {
    const secrets = { GSLS_REDIS_USER: 'user', GSLS_REDIS_PASSWORD: 'hunter2' };
    expect(shown({ GSLS_REDIS: 'redis://user:hunter2@h/1' })).to.equal('h:6379');
    expect(shown({ GSLS_REDIS_SENTINEL: 'a,[::1]:2', ...secrets })).to.equal(
      'mymaster of the sentinels a:26379, [::1]:2',
    );
    expect(shown({ GSLS_REDIS_CLUSTER: 'a,b:7000', ...secrets })).to.equal('the Cluster of a:6379, b:7000');
  });
});
