import { expect } from 'chai';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import {
  createCheckServer,
  resolveByDns,
  type CheckOptions,
  type CheckResult,
  type CheckTarget,
} from '../../../src/protocols/luanti/check-server.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { needs } from '../../support/needs.ts';
import { until } from '../../support/until.ts';
import { ANSWER, LEAVING, PING, startUdpServer, type UdpServer } from './played-server.ts';

describe('the check of a Luanti server', () => {
  let server: UdpServer;
  let clock: ManualClock;
  beforeEach(async () => {
    clock = new ManualClock();
    server = await startUdpServer();
  });
  afterEach(() => server.close());

  function check(
    target: Partial<CheckTarget> = {},
    resolve: CheckOptions['resolve'] = () => Promise.reject(new Error('not to be asked')),
    signal = new AbortController().signal,
  ): Promise<CheckResult> {
    const checkServer = createCheckServer({ resolve, timers: clock, elapsed: () => clock.now() });
    return checkServer({ ip: '127.0.0.1', port: server.port, address: '', ...target }, signal);
  }

  it('sends eight bytes, takes the answer, and leaves as a client does', async () => {
    const { checked, trouble } = await check();
    expect(checked).to.deep.equal({ address: '127.0.0.1', ping: 0 });
    expect(trouble).to.equal(undefined);
    await until(() => server.got.length === 2);
    expect(server.got).to.deep.equal([PING, LEAVING]);
  });

  it('leaves no timer behind', async () => {
    await check();
    expect(clock.timers).to.equal(0);
  });

  it("looks up no address that is the sender's own", async () => {
    expect((await check({ address: '127.0.0.1' })).checked!.address).to.equal('127.0.0.1');
  });

  it('shows a name that resolves to the sender', async () => {
    const { checked, trouble } = await check({ address: 'a.pizza' }, async () => [
      '198.51.100.7',
      '127.0.0.1',
    ]);
    expect(checked!.address).to.equal('a.pizza');
    expect(trouble).to.equal(undefined);
  });

  it('shows the sender instead of a name that resolves to others, and says so', async () => {
    expect(await check({ address: 'a.pizza' }, async () => ['198.51.100.7'])).to.deep.equal({
      checked: { address: '127.0.0.1', ping: 0 },
      trouble: 'Requester IP 127.0.0.1 does not match host a.pizza',
    });
  });

  it('shows the sender instead of another address, and pings nobody else', async () => {
    const other = await startUdpServer();
    try {
      const { checked } = await check({ address: '127.0.0.2' });
      expect(checked!.address).to.equal('127.0.0.1');
      expect(other.got).to.deep.equal([]);
    } finally {
      await other.close();
    }
  });

  it('pings nobody while the name is not found', async () => {
    const result = await check({ address: 'a.pizza' }, () => Promise.reject(new Error('NXDOMAIN')));
    expect(result).to.deep.equal({ trouble: 'Unable to get address info for a.pizza' });
    expect(server.got).to.deep.equal([]);
  });

  it('waits 3 s for a nameserver', async () => {
    let cancelled = false;
    const result = check({ address: 'a.pizza' }, (_, __, signal) => {
      signal.addEventListener('abort', () => (cancelled = true));
      return new Promise(() => undefined);
    });
    await clock.advance(3000);
    expect(await result).to.deep.equal({ trouble: 'Unable to get address info for a.pizza' });
    expect(cancelled).to.equal(true);
    expect(clock.timers).to.equal(0);
  });

  it('pings three times within 3 s, and gives up', async () => {
    server.answer = undefined;
    const result = check();
    for (let count = 1; count <= 3; count += 1) {
      await until(() => server.got.length === count);
      await clock.advance(1000);
    }
    expect(await result).to.deep.equal({
      trouble: `Server 127.0.0.1 port ${server.port} did not respond to ping`,
    });
    expect(server.got).to.deep.equal([PING, PING, PING]);
    expect(clock.timers).to.equal(0);
  });

  it('says which address it has tried of a name', async () => {
    server.answer = undefined;
    const result = check({ address: 'a.pizza' }, async () => ['127.0.0.1']);
    await until(() => server.got.length === 1);
    await clock.advance(3000);
    expect((await result).trouble).to.match(/^Server a\.pizza .* \(tried 127\.0\.0\.1\)$/);
  });

  it('measures from the ping that was answered: the one before it may be lost', async () => {
    server.answer = undefined;
    const result = check();
    await until(() => server.got.length === 1);
    server.answer = ANSWER;
    await clock.advance(1000);
    expect((await result).checked!.ping).to.equal(0);
  });

  for (const [what, answer] of [
    ['that is too short', ANSWER.slice(0, -2)],
    ['of another protocol', `ffffffff${ANSWER.slice(8)}`],
    ['of a client', ANSWER.replace('4f4574030001', '4f4574030002')],
    ['of another kind', `${ANSWER.slice(0, 22)}00${ANSWER.slice(24)}`],
    ['that is empty', ''],
  ] as const)
    it(`goes on waiting after an answer ${what}`, async () => {
      server.answer = answer;
      const result = check();
      await until(() => server.got.length === 1);
      server.answer = ANSWER;
      await clock.advance(1000);
      expect((await result).checked).not.to.equal(undefined);
    });

  it('takes no answer of another address', async () => {
    const asked = createSocket('udp4').bind(0, '127.0.0.1');
    await once(asked, 'listening');
    const stranger = createSocket('udp4');
    const result = check({ port: asked.address().port });
    const [, { port }] = (await once(asked, 'message')) as [Buffer, { readonly port: number }];
    const send = (from: Socket, answer: string): Promise<void> =>
      new Promise((resolve) => from.send(Buffer.from(answer, 'hex'), port, '127.0.0.1', () => resolve()));
    await send(stranger, ANSWER.replace(/0002$/, '0007'));
    await send(asked, ANSWER);
    const [leaving] = (await once(asked, 'message')) as [Buffer];
    expect(leaving.toString('hex')).to.equal(LEAVING);
    await result;
    stranger.close();
    asked.close();
  });

  it('knows at once that a port is closed', async () => {
    const gone = await startUdpServer();
    await gone.close();
    expect(await check({ port: gone.port })).to.deep.equal({
      trouble: `Server 127.0.0.1 port ${gone.port} did not respond to ping`,
    });
  });

  it('rejects when it is given up, and leaves nothing behind', async () => {
    server.answer = undefined;
    const ending = new AbortController();
    const result = check({}, undefined, ending.signal);
    await until(() => server.got.length === 1);
    ending.abort(new Error('given up'));
    expect(await result.catch((error: Error) => error.message)).to.equal('given up');
    expect(clock.timers).to.equal(0);
  });

  needs('IPv6').it('asks an IPv6 address by IPv6', async () => {
    const there = await startUdpServer('::1');
    try {
      const { checked } = await check({ ip: '::1', port: there.port, address: '' });
      expect(checked!.address).to.equal('::1');
    } finally {
      await there.close();
    }
  });
});

describe('the look-up of the name of a Luanti server', () => {
  it('ends when it is given up', async () => {
    const ending = new AbortController();
    const found = resolveByDns('a.pizza', '127.0.0.1', ending.signal);
    ending.abort();
    expect(await found.catch((error: NodeJS.ErrnoException) => error.code)).to.be.a('string');
  });
});
