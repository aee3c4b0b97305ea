import { expect } from 'chai';
import { AddressChallenges } from '../../../src/protocols/dpmaster/address-challenges.ts';
import { describeGameServer, type Peer } from '../../../src/protocols/dpmaster/game-server.ts';
import { EVERY_GAME, Games } from '../../../src/protocols/dpmaster/games.ts';
import { Infostring } from '../../../src/protocols/dpmaster/infostring.ts';
import {
  ANSWERS_BY_NETWORK,
  Allowance,
  Limits,
  LIST_BYTES_PER_SECOND,
  LISTS_BY_NETWORK,
  STRANGERS_PER_SECOND,
} from '../../../src/protocols/dpmaster/limits.ts';
import { Heartbeats } from '../../../src/protocols/dpmaster/heartbeats.ts';
import { DPMASTER_LIFETIME } from '../../../src/protocols/dpmaster/open-dpmaster.ts';
import { protocolContextOf } from '../../../src/protocols/open-protocols.ts';
import type { ProtocolOutcome } from '../../../src/protocols/protocol.ts';
import { createGameServerId } from '../../../src/model/game-server.ts';
import { parseIp, type IpAddress } from '../../../src/model/net/ip.ts';
import { MemoryRegistry } from '../../../src/registry/memory/memory-registry.ts';
import { aProtocolContext } from '../../support/a-context.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { useRoom } from './use-room.ts';

const EVERYTHING = new Games(EVERY_GAME, []);

/** How many of these were true. */
const countOf = (times: number, isTrue: () => boolean): number =>
  Array.from({ length: times }, isTrue).filter(Boolean).length;

const ip = (text: string): IpAddress => parseIp(text)!;

/** An address of 192.0.0.0/16 for each number. */
const at = (n: number): IpAddress => ip(`192.0.${n >> 8}.${n & 255}`);

const infoWith = (challenge: string): Infostring =>
  new Infostring(`\\challenge\\${challenge}\\gamename\\Testing\\protocol\\3\\clients\\2\\sv_maxclients\\8`);

/** How many may be taken one by one now. */
function takeAll(allowance: Allowance): number {
  let taken = 0;
  for (; allowance.isLeft; taken += 1) allowance.take(1);
  return taken;
}

describe('dpmaster: an amount that comes back with time', () => {
  const clock = new ManualClock();
  it('is there from the start, comes back evenly, and never becomes more than that of a second', () => {
    const allowance = new Allowance(100, () => clock.now());
    expect(takeAll(allowance)).to.equal(100);
    clock.jump(250);
    expect(takeAll(allowance)).to.equal(25);
    clock.jump(3_600_000);
    expect(takeAll(allowance)).to.equal(100);
  });

  it('may be overdrawn once, and the debt is waited for', () => {
    const allowance = new Allowance(100, () => clock.now());
    allowance.take(300);
    clock.jump(2000);
    expect(allowance.isLeft).to.equal(false);
    clock.jump(10);
    expect(takeAll(allowance)).to.equal(1);
  });
});

describe('dpmaster: the limits of a network', () => {
  const clock = new ManualClock();
  const now = (): number => clock.now();

  for (const [title, limit, ask] of [
    ['lists', LISTS_BY_NETWORK, 'mayAskForList'],
    ['answers', ANSWERS_BY_NETWORK, 'mayAnswer'],
  ] as const) {
    it(`are for ${title}, and begin anew after the window`, () => {
      const limits = new Limits({ now });
      const { requests, windowS } = limit;
      expect(countOf(2 * requests, () => limits[ask](at(1)))).to.equal(requests);
      clock.jump(1000 * windowS - 1);
      expect(limits[ask](at(1))).to.equal(false);
      clock.jump(1);
      expect(countOf(2 * requests, () => limits[ask](at(1)))).to.equal(requests);
    });

    it(`are for ${title} of one IPv4 address, or of an IPv6 /64`, () => {
      const limits = new Limits({ now });
      let n = 0;
      const ofOneNetwork = (): boolean => limits[ask](ip(`2001:db8::${(n += 1).toString(16)}`));
      expect(countOf(2 * limit.requests, ofOneNetwork)).to.equal(limit.requests);
      for (const other of ['2001:db8:0:1::1', '192.0.2.1', '192.0.2.2'])
        expect(limits[ask](ip(other)), other).to.equal(true);
    });

    it(`are for ${title} those that the operator sets`, () => {
      const limits = new Limits({ now, [title]: { requests: 2, windowS: 60 } });
      expect(countOf(5, () => limits[ask](at(1)))).to.equal(2);
      clock.jump(59_999);
      expect(limits[ask](at(1))).to.equal(false);
      clock.jump(1);
      expect(limits[ask](at(1))).to.equal(true);
    });
  }
});

describe('dpmaster: the bytes of all lists', () => {
  const clock = new ManualClock();

  it('are over for everybody at once, and a client that is refused then loses none of its own lists', () => {
    const limits = new Limits({ now: () => clock.now() });
    limits.listBytes.take(LIST_BYTES_PER_SECOND);
    expect(countOf(100, () => limits.mayAskForList(at(1)))).to.equal(0);
    clock.jump(1000);
    expect(countOf(100, () => limits.mayAskForList(at(1)))).to.equal(LISTS_BY_NETWORK.requests);
  });
});

describe('dpmaster: what strangers may cost', () => {
  const room = useRoom();
  const REQUEST = 'getservers Testing 3';

  /** Lists a game server without a packet. */
  function announce(port: number): Promise<unknown> {
    const tag = EVERYTHING.tag('DarkPlaces')!;
    const gameServer = describeGameServer(infoWith(''), { address: at(1), port }, tag, EVERYTHING)!;
    const announcement = {
      protocol: 'dpmaster',
      lifetime: DPMASTER_LIFETIME,
      link: `${at(1)}:${port}`,
      describe: () => gameServer,
      document: '',
    };
    return room.registry.nativeEntries.publish(createGameServerId(), announcement, { address: at(1) });
  }

  it('is ten lists in ten seconds for an address, and no answer to the next', async () => {
    // None for lists.
    await room.open({ rateLimit: ['broadcast=1000/s'] });
    const [client, other] = [await room.player(), await room.player('127.0.0.1', '127.0.0.2')];
    for (let n = 0; n < LISTS_BY_NETWORK.requests; n += 1) await client.list(REQUEST);
    client.send(REQUEST);
    await room.untilCounted('limited');
    await other.list(REQUEST);
    room.clock.jump(1000 * LISTS_BY_NETWORK.windowS);
    const before = client.bytesReceived;
    await client.list(REQUEST);
    // The answer to this one alone: there was none to the one before.
    expect(client.bytesReceived - before).to.equal(before / LISTS_BY_NETWORK.requests);
  });

  it('is as many lists for an address as --rate-limit says', async () => {
    await room.open({ rateLimit: ['list=2/m'] });
    const client = await room.player();
    for (let n = 0; n < 2; n += 1) await client.list(REQUEST);
    client.send(REQUEST);
    await room.untilCounted('limited');
  });

  it('is a megabyte of lists in a second, whoever asks', async () => {
    await room.open();
    for (let port = 1; port <= 600; port += 1) await announce(port);
    const [client, other] = [await room.player(), await room.player('127.0.0.1', '127.0.0.2')];
    while (client.bytesReceived < LIST_BYTES_PER_SECOND)
      expect(await client.list(REQUEST)).to.have.length(600);
    other.send(REQUEST);
    await room.untilCounted('limited');
    room.clock.jump(1000);
    expect(await other.list(REQUEST)).to.have.length(600);
  });
});

describe('dpmaster: how many game servers are asked and taken', () => {
  const closers: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  function aListing() {
    const clock = new ManualClock();
    const now = (): number => clock.now();
    const registry = new MemoryRegistry({ lifetime, clock, uniqueAddress: false });
    const outcomes: ProtocolOutcome[] = [];
    const onOutcome = (_: string, outcome: ProtocolOutcome): void => void outcomes.push(outcome);
    const context = protocolContextOf({ ...aProtocolContext(registry, {}, now), onOutcome }, 'dpmaster');
    const listing = new Heartbeats({ context, games: EVERYTHING, limits: new Limits({ now }), clock });
    closers.push(
      () => listing.close(),
      () => registry.close(),
    );
    /** Whether it is asked, or why not. */
    const heartbeat = (peer: Peer): string => {
      const question = listing.heartbeat('DarkPlaces', peer);
      return typeof question === 'string' ? question : 'asked';
    };
    const answer = async (peer: Peer): Promise<ProtocolOutcome> => {
      const challenge = new AddressChallenges(context).issue(0, peer);
      await listing.infoResponse(infoWith(challenge), peer);
      return outcomes.at(-1)!;
    };
    return { clock, heartbeat, answer };
  }

  it('a thousand strangers are asked in a second, and those that are listed besides', async () => {
    const { clock, heartbeat, answer } = aListing();
    const known = { address: at(1), port: 1 };
    expect(await answer(known)).to.equal('listed');
    const strangers = Array.from({ length: 1500 }, (_, n) => ({ address: at(2 + n), port: 1 }));
    const outcomes = strangers.map(heartbeat);
    expect(outcomes.lastIndexOf('asked')).to.equal(STRANGERS_PER_SECOND - 1);
    expect(outcomes.indexOf('limited')).to.equal(STRANGERS_PER_SECOND);
    expect(heartbeat(known)).to.equal('asked');
    clock.jump(100);
    expect(
      strangers.slice(STRANGERS_PER_SECOND).filter((peer) => heartbeat(peer) === 'asked'),
    ).to.have.length(STRANGERS_PER_SECOND / 10);
  });

  it('a hundred answers of one address are taken in ten seconds, whatever others send', async () => {
    const { clock, answer } = aListing();
    const { requests, windowS } = ANSWERS_BY_NETWORK;
    const outcomes = new Set<ProtocolOutcome>();
    for (let port = 1; port <= requests; port += 1) outcomes.add(await answer({ address: at(1), port }));
    expect([...outcomes]).to.deep.equal(['listed']);
    expect(await answer({ address: at(1), port: requests + 1 })).to.equal('limited');
    expect(await answer({ address: at(2), port: 1 })).to.equal('listed');
    clock.jump(1000 * windowS);
    expect(await answer({ address: at(1), port: 1 })).to.equal('refreshed');
  });
});
