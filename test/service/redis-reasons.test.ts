/** What the log and `gsls reset` say about a Redis that cannot be used: each failure in words, with what to do. */

import { expect } from 'chai';
import { ServiceError } from '../../src/model/service-error.ts';
import { explain } from '../../src/service/redis-reasons.ts';

describe('the reason why Redis cannot be used', () => {
  const ADVICE: Readonly<Record<string, string>> = {
    'connect ECONNREFUSED 127.0.0.1:1': 'nothing listens there',
    'getaddrinfo ENOTFOUND redis': 'the name does not resolve',
    'getaddrinfo EAI_AGAIN redis': 'the name does not resolve',
    'connect ETIMEDOUT 10.0.0.5:6379': 'does a firewall',
    'connect EHOSTUNREACH 10.0.0.5:6379': 'does a firewall',
    'another program than Redis answers: it says "SSH-2.0-x"': 'the right port',
    'Redis speaks TLS there': 'add --redis-tls',
    'Redis speaks no TLS there': 'leave out --redis-tls',
    'Client network socket disconnected before secure TLS connection was established': 'a port for TLS?',
    'self-signed certificate': '--redis-ca',
    'unable to verify the first certificate': '--redis-ca',
    'certificate has expired': 'valid now',
    "Hostname/IP does not match certificate's altnames: IP: 127.0.0.1 is not in the cert's list":
      '--redis-server-name',
    'NOAUTH Authentication required': '--redis-password',
    'WRONGPASS invalid username-password pair or user is disabled': '--redis-user and --redis-password',
    "NOPERM this user has no permissions to run the 'eval' command": 'the documentation',
    "ERR The user executing the script can't run this command or subcommand": 'the documentation',
    'the sentinel 127.0.0.1:1 says NOAUTH Authentication required': '--redis-sentinel-password',
    'the sentinel 127.0.0.1:1 says WRONGPASS invalid username-password pair': '--redis-sentinel-user',
    "the sentinel 127.0.0.1:1 says ERR unknown command 'SENTINEL'": 'this is not a sentinel',
    'the sentinels know no master "other"': '--redis-master',
    "ERR unknown command 'evalsha'": '--redis-sentinel',
    "ERR unknown command 'cluster'": 'not a node of a Cluster',
    'ERR This instance has cluster support disabled': 'not a node of a Cluster',
    'MOVED 2324 127.0.0.1:7001': '--redis-cluster',
    'ERR SELECT is not allowed in cluster mode': '--redis-cluster',
    'ERR DB index is out of range': '--redis-database',
    'ERR max number of clients reached': 'maxclients',
    "READONLY You can't write against a read only replica": 'a replica',
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'": 'lost its master',
    'NOREPLICAS Not enough good replicas to write': 'min-replicas-to-write',
    'CLUSTERDOWN The cluster is down': 'nodes',
    'LOADING Redis is loading the dataset in memory': 'wait',
    'BUSY Redis is busy running a script': 'a long script',
    "OOM command not allowed when used memory > 'maxmemory'": 'maxmemory',
    'MISCONF Redis is configured to save RDB snapshots, but is unable to persist to disk': 'its disk',
  };

  it('the advice of Node about certificates gives way to that of GSLS', () => {
    const said =
      'self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca';
    expect(explain(new Error(said))).to.match(/^self-signed certificate: give .* --redis-ca$/);
  });

  for (const [said, advice] of Object.entries(ADVICE))
    it(`"${said}" comes with what to do about it`, () => {
      const reason = explain(new Error(`${said}.`));
      expect(reason.startsWith(`${said}: `), reason).to.equal(true);
      expect(reason.slice(said.length)).to.include(advice);
    });

  const IN_OTHER_WORDS: Readonly<Record<string, string>> = {
    'Connection is closed.': 'the connection was lost',
    "Stream isn't writeable and enableOfflineQueue options is false": 'the connection was lost',
    "Cluster isn't ready and enableOfflineQueue options is false": 'the connection was lost',
    'write EPIPE': 'the connection was lost',
    'Command timed out': 'Redis does not answer in time',
    'Too many Cluster redirections. Last error: ReplyError: CLUSTERDOWN Hash slot not served':
      'CLUSTERDOWN Hash slot not served',
    '80DCA6B3817F0000:error:0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required:../deps/x.c:1:\n':
      'TLS fails: tlsv13 alert certificate required',
  };

  for (const [said, meaning] of Object.entries(IN_OTHER_WORDS))
    it(`"${said.trim()}" is put into other words`, () => {
      expect(explain(new Error(said)).startsWith(`${meaning}: `)).to.equal(true);
    });

  it('the reason is the cause of an error of the service', () => {
    const error = new ServiceError('registry_unavailable', { cause: new Error('ERR whatever') });
    expect(explain(error)).to.equal('ERR whatever');
  });

  it('the reason is that of the first address when a name has several', () => {
    const tried = [new Error('connect ECONNREFUSED ::1:1'), new Error('connect ECONNREFUSED 127.0.0.1:1')];
    expect(explain(new AggregateError(tried))).to.match(/^connect ECONNREFUSED ::1:1: nothing listens there/);
  });

  it('only the first sentence of Redis is repeated, and no arguments of commands', () => {
    expect(explain(new Error('DENIED Redis is in protected mode. In this mode\r\n1) Just')))
      .to.match(/^DENIED Redis is in protected mode: /)
      .and.not.include('In this mode');
    expect(explain(new Error("ERR unknown command 'x', with args beginning with: 'secret' "))).to.equal(
      "ERR unknown command 'x'",
    );
  });

  it('the reason is one short line of text, whatever the message is', () => {
    expect(explain(new Error('\u001B[31m\0\u202E\u2028x'))).to.equal('\\u{1b}[31m\\u{0}\\u{202e}\\u{2028}x');
    expect(explain(new Error('x'.repeat(10_000)))).to.have.lengthOf.below(200);
    expect(explain(Object.assign(new Error(''), { code: 'EPROTO' }))).to.equal('EPROTO');
    for (const nothing of [undefined, null, 'text', 7, {}]) expect(explain(nothing)).to.be.a('string');
  });
});
