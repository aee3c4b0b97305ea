/** The kinds by which failures of Redis are counted. */

import { expect } from 'chai';
import { REDIS_ERROR_KINDS, redisErrorKind } from '../../../src/registry/redis/scripts/error-kind.ts';

const reply = (message: string): Error => Object.assign(new Error(message), { name: 'ReplyError' });

describe('the kind of a failure of Redis', () => {
  const KINDS: Readonly<Record<string, readonly Error[]>> = {
    timeout: [
      new Error('Command timed out'),
      new Error('Redis has not answered for 2 s'),
      new Error('connect ETIMEDOUT'),
    ],
    connection: [
      new Error('Connection is closed.'),
      new Error("Stream isn't writeable and enableOfflineQueue options is false"),
      new Error("Cluster isn't ready and enableOfflineQueue options is false"),
      new Error('connect ECONNREFUSED 127.0.0.1:6379'),
      new Error('getaddrinfo ENOTFOUND redis'),
      new Error('self-signed certificate'),
      reply('ERR max number of clients reached'),
    ],
    auth: [
      reply('NOAUTH Authentication required.'),
      reply('WRONGPASS invalid username-password pair or user is disabled.'),
      reply("NOPERM this user has no permissions to run the 'evalsha' command"),
      reply(
        "ERR The user executing the script can't run this command or subcommand script: 08be, on @user_script:1.",
      ),
      reply("NOPERM ACL failure in script: User gsls has no permissions to run the 'hset' command"),
      reply('ERR AUTH <password> called without any password configured for the default user.'),
      reply('DENIED Redis is running in protected mode'),
      new Error('All sentinels are unreachable. Last error: WRONGPASS invalid username-password pair'),
    ],
    read_only: [reply("READONLY You can't write against a read only replica.")],
    replication: [
      reply('NOREPLICAS Not enough good replicas to write.'),
      reply('MASTERDOWN Link with MASTER is down'),
    ],
    loading: [
      reply('LOADING Redis is loading the dataset in memory'),
      new Error('Ready check failed: LOADING Redis is loading the dataset in memory'),
    ],
    busy: [reply('BUSY Redis is busy running a script.')],
    out_of_memory: [
      reply("OOM command not allowed when used memory > 'maxmemory'."),
      reply('OOM allow-oom flag is not set on the script, can not run it when used memory > maxmemory'),
    ],
    disk: [reply('MISCONF Redis is configured to save RDB snapshots')],
    cluster: [
      reply('MOVED 1 127.0.0.1:7001'),
      reply('TRYAGAIN Multiple keys request during rehashing of slot'),
      reply('CLUSTERDOWN Hash slot not served'),
      reply('ERR Script attempted to access a non local key in a cluster node'),
      new Error('Too many Cluster redirections. Last error: ReplyError: MOVED 1 127.0.0.1:7001'),
    ],
    damage: [
      reply('WRONGTYPE Operation against a key holding the wrong kind of value'),
      reply('DAMAGED the record of an entry'),
      reply('ERR value is not a valid float'),
    ],
    late: [reply('LATE 1795434042135')],
    other: [reply('ERR whatever')],
  };

  it('is one of a closed list', () => {
    expect(Object.keys(KINDS)).to.deep.equal(REDIS_ERROR_KINDS);
  });

  for (const [kind, errors] of Object.entries(KINDS))
    for (const error of errors)
      it(`"${error.message}" counts as ${kind}`, () => {
        expect(redisErrorKind(error)).to.equal(kind);
      });
});
