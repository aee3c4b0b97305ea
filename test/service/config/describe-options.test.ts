/** The options in force, as operators are shown them. */

import { expect } from 'chai';
import { describeOptions, type OptionInForce } from '../../../src/service/config/describe-options.ts';
import type { OptionDefinition } from '../../../src/service/config/option.ts';
import { OPTIONS } from '../../../src/service/config/options.ts';
import { configOf, type Sources } from './config-of.ts';

function described(sources: Sources, flag: string, counts = {}): OptionInForce | undefined {
  return describeOptions(configOf(sources), counts).find((each) => each.flag === flag);
}

describe('the options in force', () => {
  it('are all in the order of the table, with their defaults, in words where these say more', () => {
    const rows = describeOptions(configOf({}), {});
    expect(rows).to.deep.equal(
      Object.values<OptionDefinition<unknown>>(OPTIONS).map(
        ({ flag, variable, defaultText, default: value }) => ({
          flag,
          variable,
          value: defaultText ?? value,
          from: 'default',
        }),
      ),
    );
  });

  it('tell what was given, where, and what won', () => {
    const sources: Sources = {
      flags: { ttl: ['30', '90'], verifySource: true },
      environment: { GSLS_TTL: '20', GSLS_TRUST_PROXY: 'loopback,10.0.0.0/8', GSLS_UNIQUE_ADDRESS: 'yes' },
    };
    expect(described(sources, '--ttl')).to.deep.equal({
      flag: '--ttl',
      variable: 'GSLS_TTL',
      value: 90,
      from: 'flag',
    });
    expect(described(sources, '--verify-source')).to.include({ value: true, from: 'flag' });
    expect(described(sources, '--unique-address')).to.include({ value: true, from: 'variable' });
    expect(described(sources, '--trust-proxy')).to.include({
      value: 'loopback,10.0.0.0/8',
      from: 'variable',
    });
    expect(described({ environment: { GSLS_TTL: '' } }, '--ttl')).to.include({ value: 60, from: 'default' });
  });

  it('tell of secrets only how many there are, and where they come from', () => {
    const files = { keys: 'a\nb', password: 'p' };
    const hidden = { flag: '--key', variable: 'GSLS_KEY', value: '(hidden)' };
    const counts = { key: 3 };
    expect(described({ flags: { key: ['a', 'b', 'c'] } }, '--key', counts)).to.deep.equal({
      ...hidden,
      count: 3,
      from: 'flag',
    });
    expect(described({ flags: { keyFile: ['keys'] }, files }, '--key', counts)).to.deep.equal({
      ...hidden,
      count: 3,
      from: 'file',
    });
    const both: Sources = { flags: { keyFile: ['keys'] }, environment: { GSLS_KEY: 'c' }, files };
    expect(described(both, '--key', counts)).to.include({ from: 'variable, file', value: '(hidden)' });
    expect(described(both, '--key-file')).to.include({ from: 'flag', value: 'keys' });
    const ofRedis: Sources = {
      flags: { redisPasswordFile: ['password'], redis: ['redis://h'] },
      files,
    };
    expect(described(ofRedis, '--redis-password')).to.include({ from: 'file', value: '(hidden)', count: 1 });
  });

  it('show a Redis URL without its user and password', () => {
    const URLS = {
      'redis://h': 'redis://h:6379',
      'rediss://:hunter2@h:7000/3': 'rediss://(hidden)@h:7000/3',
      'redis://hunter2@[::1]': 'redis://(hidden)@[::1]:6379',
      'redis://ann:hunter2@h/0': 'redis://(hidden)@h:6379/0',
    };
    for (const [url, value] of Object.entries(URLS))
      expect(described({ environment: { GSLS_REDIS: url } }, '--redis')).to.deep.equal({
        flag: '--redis',
        variable: 'GSLS_REDIS',
        value,
        from: 'variable',
      });
  });

  it('are secret where their name says that they hold a key, a secret or a password', () => {
    const named = Object.values<OptionDefinition<unknown>>(OPTIONS).filter(({ flag }) =>
      /-(key|secret|password|token|(?<!public-)url)$/.test(flag),
    );
    expect(named.map(({ flag }) => flag)).to.include.members(['--key', '--redis-password']);
    expect(named.filter(({ secret, argument }) => argument !== undefined && !secret)).to.deep.equal([]);
  });
});
