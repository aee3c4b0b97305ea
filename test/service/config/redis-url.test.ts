/** Where Redis is, as --redis tells it. */

import { expect } from 'chai';
import { createConfig, type Config } from '../../../src/service/config/config.ts';
import { UsageError } from '../../../src/runtime/usage-error.ts';

const parse = (url: string): Config['redisAddress'] =>
  createConfig({ flags: { redis: [url] }, environment: {}, readFile: () => '' }).redisAddress;

const fromVariable = (url: string): Config['redisAddress'] =>
  createConfig({ flags: {}, environment: { GSLS_REDIS: url }, readFile: () => '' }).redisAddress;

describe('the Redis URL', () => {
  const PARSED = {
    'redis://localhost': { host: 'localhost', port: 6379 },
    'redis://10.0.0.5:6380': { host: '10.0.0.5', port: 6380 },
    'redis://10.0.0.5/': { host: '10.0.0.5', port: 6379 },
    'redis://10.0.0.5/15': { host: '10.0.0.5', port: 6379, database: 15 },
    'rediss://redis.example.com': { host: 'redis.example.com', port: 6379, tls: {} },
    'REDISS://redis.example.com:1': { host: 'redis.example.com', port: 1, tls: {} },
    'redis://[2001:db8::1]:7000/2': { host: '2001:db8::1', port: 7000, database: 2 },
    'redis://[::1]': { host: '::1', port: 6379 },
    'redis://:p%40ss%2F%3A%23@h': { host: 'h', port: 6379, password: 'p@ss/:#' },
    'redis://us%C3%A9r:p%25@h': { host: 'h', port: 6379, username: 'us\u00e9r', password: 'p%' },
    'redis://user@h': { host: 'h', port: 6379, username: 'user' },
    'redis://user:a:b@h': { host: 'h', port: 6379, username: 'user', password: 'a:b' },
  };

  for (const [url, address] of Object.entries(PARSED))
    it(`${url} is understood`, () => {
      expect(parse(url)).to.deep.equal({ kind: 'standalone', database: 0, ...address });
    });

  const REFUSED = {
    hunter2: 'is not a URL',
    'hunter2.example.com:6379': 'is not a Redis URL',
    '//user:hunter2@h': 'is not a URL',
    'redis://user:hunter2@h:port': 'is not a URL',
    'redis://user:hunter2@h:65536': 'is not a URL',
    'redis://user:hunter2%@h': 'is not a URL',
    'redis://user:hunter2%FF@h': 'is not a URL',
    'http://user:hunter2@h': 'is not a Redis URL',
    'redis+sentinel://user:hunter2@h': 'is not a Redis URL',
    'unix://hunter2': 'is not a Redis URL',
    'redis:///hunter2': 'has no host',
    'redis:hunter2': 'has no host',
    'redis://user:hunter2@h/zero': 'has a path that is not a database number',
    'redis://user:hunter2@h/1/2': 'has a path that is not a database number',
    'redis://user:hunter2@h/-1': 'has a path that is not a database number',
    'redis://h?password=hunter2': 'has a query or a fragment',
    'redis://user:hunter2@h#x': 'has a query or a fragment',
  };

  for (const [url, complaint] of Object.entries(REFUSED))
    it(`${url} is refused, without repeating it`, () => {
      expect(() => parse(url))
        .to.throw(UsageError, `--redis ${complaint}: write it like redis://user:password@host:6379/0`)
        .with.property('message')
        .that.does.not.include('hunter2');
    });

  it('a URL in the variable is understood, and refused under the name of the variable', () => {
    expect(fromVariable('redis://h')).to.include({ host: 'h' });
    expect(() => fromVariable('h')).to.throw(UsageError, /^GSLS_REDIS is not a URL/);
  });
});
