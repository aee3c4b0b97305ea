/** From flags, variables and key files to a Config, or to one line that says what is wrong. */

import { expect } from 'chai';
import { createConfig, OPTIONS, type Config, type Flags } from '../../src/config/config.ts';
import { UsageError } from '../../src/config/option.ts';

interface Sources {
  flags?: Flags;
  environment?: Record<string, string>;
  files?: Record<string, string>;
}

function configOf({ flags = {}, environment = {}, files = {} }: Sources): Config {
  const readFile = (path: string): string => {
    if (files[path] === undefined) throw new Error(`ENOENT: no such file, open '${path}'`);
    return files[path];
  };
  return createConfig({ flags, environment, readFile });
}

const variables = (environment: Record<string, string>): Config => configOf({ environment });

const originsOf = (text: string) => variables({ GSLS_CORS_ORIGIN: text }).corsOrigin;

const withFile = (text: string, flags: Flags = {}): Sources => ({
  flags: { ...flags, keyFile: ['keys'] },
  files: { keys: text },
});

/** The message, which has to be one line. */
function complaintOf(sources: Sources): string {
  try {
    configOf(sources);
  } catch (error) {
    expect(error).to.be.instanceOf(UsageError);
    const { message } = error as Error;
    expect(message).to.match(/^[^\n]+$/);
    return message;
  }
  throw new Error('there was nothing to complain about');
}

describe('the configuration', () => {
  describe('comes from', () => {
    it('the defaults when nothing is said', () => {
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
        uniqueAddress: false,
        maxBody: 16_384,
        maxStale: 3600,
        corsOrigin: ['*'],
        logLevel: 'info',
        logFormat: undefined,
        authKeys: [],
        redisAddress: undefined,
      });
    });

    it('a variable rather than the default, and a flag rather than the variable', () => {
      expect(variables({ GSLS_PORT: '1' }).port).to.equal(1);
      expect(configOf({ flags: { port: ['2'] }, environment: { GSLS_PORT: '1' } }).port).to.equal(2);
      const both = { flags: { key: ['flag'] }, environment: { GSLS_KEY: 'variable' } };
      expect(configOf(both).authKeys).to.deep.equal(['flag']);
    });

    it('the last one of a repeated flag, but from every --key', () => {
      const { ttl, authKeys } = configOf({ flags: { ttl: ['30', '90'], key: ['a', 'b'] } });
      expect([ttl, authKeys]).to.deep.equal([90, ['a', 'b']]);
    });

    it('the default when a variable is empty, as Compose and Kubernetes leave it', () => {
      const empty = Object.fromEntries(Object.values(OPTIONS).map(({ variable }) => [variable, '']));
      expect(variables(empty)).to.deep.equal(configOf({}));
    });

    it('no other variable than its own', () => {
      expect(variables({ PORT: '1', HOST: 'x', gsls_port: '3', npm_config_port: '4' })).to.deep.equal(
        configOf({}),
      );
    });

    it('is frozen', () => {
      expect(Object.isFrozen(configOf({}))).to.equal(true);
    });
  });

  describe('refuses', () => {
    const REFUSED: readonly (readonly [variable: string, text: string, rest: string])[] = [
      ...['-1', '65536', '1.5', '0x10', ' 80', '80 ', '1e3', 'http'].map(
        (text) => ['GSLS_PORT', text, `must be an integer from 0 to 65535, not "${text}"`] as const,
      ),
      [
        'GSLS_PORT',
        'tcp://10.0.0.1:53600',
        'is set by Kubernetes for a Service named gsls: set enableServiceLinks: false in the pod',
      ],
      ['GSLS_HOST', 'http://x', 'must be an address or a host name, not "http://x"'],
      ['GSLS_HOST', 'a b', 'must be an address or a host name, not "a b"'],
      ['GSLS_KEY', ' ', 'must not be empty'],
      ['GSLS_KEY', ' secret', 'must not begin or end with a space or hold control characters'],
      ['GSLS_KEY', 'secret\n', 'must not begin or end with a space or hold control characters'],
      ['GSLS_KEY', 'sec\u0000ret', 'must not begin or end with a space or hold control characters'],
      ...['a b', 'a}', 'x'.repeat(65)].map(
        (text) =>
          [
            'GSLS_REGISTRY',
            text,
            `must be 1 to 64 letters, digits, dots, dashes or underscores, not "${text}"`,
          ] as const,
      ),
      ...[
        ':6379',
        'host:',
        'host:0',
        'host:65536',
        'a,,b',
        'a;b',
        '::1',
        '[::1',
        '[12]',
        'redis://h',
      ].flatMap((text) => [
        ['GSLS_REDIS_SENTINEL', text, 'must be like host:26379, several separated by commas'] as const,
        ['GSLS_REDIS_CLUSTER', text, 'must be like host:6379, several separated by commas'] as const,
      ]),
      ['GSLS_REDIS_MASTER', 'my master', 'must be 1 to 64 letters, digits, dots, dashes or underscores'],
      ['GSLS_REDIS_DATABASE', '-1', 'must be an integer from 0 to 99999, not "-1"'],
      ['GSLS_REDIS_USER', 'a b', 'must be the name of a user, without spaces'],
      ['GSLS_REDIS_SENTINEL_USER', 'a\tb', 'must be the name of a user, without spaces'],
      ['GSLS_REDIS_PASSWORD', 'a\n', 'must not hold control characters'],
      ['GSLS_REDIS_SENTINEL_PASSWORD', '\u0000', 'must not hold control characters'],
      ['GSLS_REDIS_TLS', 'rediss', 'must be true or false, not "rediss"'],
      ['GSLS_REDIS_SERVER_NAME', '10.0.0.5', 'must be a host name, not "10.0.0.5"'],
      ['GSLS_REDIS_SERVER_NAME', 'a b', 'must be a host name, not "a b"'],
      ['GSLS_TTL', '2', 'must be an integer from 3 to 86400 (seconds), not "2"'],
      ['GSLS_TTL', '86401', 'must be an integer from 3 to 86400 (seconds), not "86401"'],
      ['GSLS_TTL', '60s', 'must be an integer from 3 to 86400 (seconds), not "60s"'],
      ['GSLS_UNIQUE_ADDRESS', 'maybe', 'must be true or false, not "maybe"'],
      ['GSLS_NO_MASS_EXPIRY_HOLD', 'maybe', 'must be true or false, not "maybe"'],
      ['GSLS_NO_WRITE_BACK', 'maybe', 'must be true or false, not "maybe"'],
      ['GSLS_MAX_BODY', '1023', 'must be an integer from 1024 to 1048576 (bytes), not "1023"'],
      ['GSLS_MAX_BODY', '1048577', 'must be an integer from 1024 to 1048576 (bytes), not "1048577"'],
      ['GSLS_MAX_WAITING', '1M', 'must be an integer from 1048576 to 1099511627776 (bytes), not "1M"'],
      ['GSLS_MAX_WAITING', '0', 'must be an integer from 1048576 to 1099511627776 (bytes), not "0"'],
      ['GSLS_MAX_STALE', '604801', 'must be an integer from 0 to 604800 (seconds), not "604801"'],
      ['GSLS_LIST_MAX_AGE', '60001', 'must be an integer from 0 to 60000 (milliseconds), not "60001"'],
      ...['example.com', 'https://example.com/', 'https://a.example, b', 'null', ','].map(
        (text) =>
          ['GSLS_CORS_ORIGIN', text, 'must be *, none, or origins like https://example.com, not "'] as const,
      ),
      ['GSLS_DRAIN_DELAY', '301', 'must be an integer from 0 to 300 (seconds), not "301"'],
      ['GSLS_LOG_LEVEL', 'INFO', 'must be one of trace, debug, info, warn, error, fatal, silent, not "INFO"'],
      ['GSLS_LOG_FORMAT', 'xml', 'must be one of json, pretty, not "xml"'],
    ];

    for (const [variable, text, rest] of REFUSED)
      it(`${variable}=${JSON.stringify(text)}`, () => {
        expect(complaintOf({ environment: { [variable]: text } })).to.satisfy((message: string) =>
          message.startsWith(`${variable} ${rest}`),
        );
      });

    it('something for every option that can be wrong', () => {
      const files = /_FILE$|_CA$/;
      const elsewhere = ['GSLS_REDIS'];
      const tested = new Set([...REFUSED.map(([variable]) => variable), ...elsewhere]);
      expect(
        Object.values(OPTIONS).filter(({ variable }) => !tested.has(variable) && !files.test(variable)),
      ).to.deep.equal([]);
    });

    it('a bad flag under the name of the flag', () => {
      expect(complaintOf({ flags: { ttl: ['1'] } })).to.match(/^--ttl must be an integer/);
      expect(complaintOf({ flags: { key: ['good', ''] } })).to.equal('--key must not be empty');
    });

    it('an empty flag, which unlike an empty variable was meant', () => {
      expect(complaintOf({ flags: { registry: [''] } })).to.match(/^--registry must be 1 to 64/);
    });

    it('a data file without a name, or beside Redis', () => {
      expect(complaintOf({ flags: { dataFile: [''] } })).to.equal('--data-file must be the path of a file');
      expect(complaintOf({ environment: { GSLS_DATA_FILE: 'a', GSLS_REDIS: 'redis://b' } })).to.match(
        /^--data-file keeps a registry in memory: it does not go with Redis/,
      );
    });

    it('a variable that begins with GSLS_ and is none of ours', () => {
      expect(complaintOf({ environment: { GSLS_XYZZY: 'x' } })).to.equal('GSLS_XYZZY is no variable of ours');
      for (const [unknown, meant] of [
        ['GSLS_PROT', 'GSLS_PORT'],
        ['GSLS_KEYS', 'GSLS_KEY'],
        ['GSLS_REDIS_PASSWROD', 'GSLS_REDIS_PASSWORD'],
        ['GSLS_REDIS_URL', 'GSLS_REDIS'],
        ['GSLS_LOG', 'GSLS_LOG_LEVEL'],
      ] as const)
        expect(complaintOf({ environment: { [unknown]: 'x' } })).to.equal(
          `${unknown} is no variable of ours: did you mean ${meant}?`,
        );
    });
  });

  describe('accepts', () => {
    it('the bounds of its numbers', () => {
      expect(
        variables({ GSLS_PORT: '0', GSLS_TTL: '3', GSLS_MAX_BODY: '1024', GSLS_MAX_STALE: '0' }),
      ).to.include({
        port: 0,
        ttl: 3,
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

    it('addresses and host names to listen on', () => {
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

    it('yes and no in several words, and the bare switch', () => {
      for (const text of ['true', 'YES', 'on', '1'])
        expect(variables({ GSLS_UNIQUE_ADDRESS: text }).uniqueAddress).to.equal(true);
      for (const text of ['false', 'No', 'off', '0'])
        expect(variables({ GSLS_UNIQUE_ADDRESS: text }).uniqueAddress).to.equal(false);
      expect(configOf({ flags: { uniqueAddress: true } }).uniqueAddress).to.equal(true);
    });

    it('any origin, none, or several', () => {
      expect(originsOf('*')).to.deep.equal(['*']);
      expect(originsOf('none')).to.deep.equal([]);
      expect(originsOf('https://a.example, http://b.example:8080')).to.deep.equal([
        'https://a.example',
        'http://b.example:8080',
      ]);
    });

    it('what Kubernetes sets by itself next to a Service named gsls', () => {
      const set = {
        GSLS_SERVICE_HOST: '10.0.0.1',
        GSLS_SERVICE_PORT: '1',
        GSLS_PORT_53600_TCP: 'tcp://10.0.0.1:1',
      };
      expect(variables(set)).to.deep.equal(configOf({}));
    });
  });

  describe('with a key file', () => {
    it('takes one key a line, without spaces and empty lines, after those of --key', () => {
      expect(configOf(withFile('one\r\n\n  two \nthree k\u00e9y\n')).authKeys).to.deep.equal([
        'one',
        'two',
        'three k\u00e9y',
      ]);
      expect(configOf(withFile('file', { key: ['flag'] })).authKeys).to.deep.equal(['flag', 'file']);
      expect(
        configOf({ environment: { GSLS_KEY_FILE: 'keys' }, files: { keys: 'k' } }).authKeys,
      ).to.deep.equal(['k']);
    });

    it('takes a line that begins with # as a comment, and no other', () => {
      const text = '# of the lobby\none\n  # two\n#three\nfour # five\n';
      expect(configOf(withFile(text, { key: ['#six'] })).authKeys).to.deep.equal([
        '#six',
        'one',
        'four # five',
      ]);
    });

    it('takes one that an editor began with a byte order mark', () => {
      for (const beginning of ['', '# a comment\r\n'])
        expect(configOf(withFile(`\uFEFF${beginning}one\r\ntwo\r\n`)).authKeys).to.deep.equal(['one', 'two']);
    });

    it('refuses one that is not in UTF-8, whose keys no client could send', () => {
      for (const bytes of [Buffer.from('k\u00e9y\n', 'latin1'), Buffer.from('\uFEFFkey\r\n', 'utf16le')])
        expect(complaintOf(withFile(bytes.toString()))).to.equal('the key file keys is not text in UTF-8');
    });

    it('refuses one without a key, which would let everybody in', () => {
      for (const text of ['', '\n \r\n', '\uFEFF', '# one\r\n#two'])
        expect(complaintOf(withFile(text))).to.equal(
          'the key file keys holds no key: without one everybody would be let in',
        );
    });

    it('refuses one that cannot be read, and says why', () => {
      expect(complaintOf({ flags: { keyFile: ['gone'] } })).to.match(
        /^the key file gone cannot be read: ENOENT/,
      );
    });

    it('refuses a key with control characters and does not repeat it', () => {
      const message = complaintOf(withFile('good\nhunter\u00012'));
      expect(message)
        .to.match(/^a key in keys must not/)
        .and.to.not.include('hunter');
    });
  });
});
