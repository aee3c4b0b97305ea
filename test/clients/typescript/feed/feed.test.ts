import { expect } from 'chai';
import type { ContactState } from '../../../../clients/typescript/src/feed/contact-state.ts';
import type { FeedFailure } from '../../../../clients/typescript/src/feed/changes-answer.ts';
import { Feed } from '../../../../clients/typescript/src/feed/feed.ts';
import type { FeedOptions } from '../../../../clients/typescript/src/feed/feed-options.ts';
import type { ToldChanges } from '../../../../src/model/view/listed-server.ts';
import { FakeWorld } from '../../../page/worker/support/fake-world.ts';
import { aServer, changesEvent, changesOf } from '../../../page/worker/support/page-servers.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const STREAM_TYPE = { 'Content-Type': 'text/event-stream' };
const FIRST = changesEvent({ servers: [aServer('a')], full: true, tag: 't1' });
const TOO_MANY = JSON.stringify({ status: 'error', error: '…', code: 'too_many_streams' });

describe('the feed of the page', () => {
  let world: FakeWorld;
  let told: ToldChanges[];
  let states: ContactState[];
  let failures: FeedFailure[];
  let feed: Feed;

  const follow = (query = '', options: Partial<FeedOptions> = {}): Feed => {
    feed = new Feed({
      environment: world,
      url: 'http://service.test/list/changes',
      query,
      onChanges: (changes) => told.push(changes),
      onState: (state) => states.push(state),
      onFailure: (failure) => failures.push(failure),
      ...options,
    });
    feed.start();
    return feed;
  };

  /** A feed that has its first list by a stream. */
  const live = async (): Promise<void> => {
    follow();
    world.call.open().push(`retry: 2000\n\n${FIRST}`);
    await world.settle();
    expect(states).to.deep.equal([{ is: 'live' }]);
    states.length = 0;
  };

  const since = (): string | null => world.call.url.searchParams.get('since');
  const pauses = (): readonly number[] =>
    states.map((state) => (state.is === 'away' ? state.retryAt - world.now() : NaN));

  beforeEach(() => {
    world = new FakeWorld();
    told = [];
    states = [];
    failures = [];
  });
  afterEach(async () => {
    feed.stop();
    await world.settle();
    expect(world.timers, 'timers of a feed that has stopped').to.equal(0);
    expect(world.call.isAborted, 'a call of a feed that has stopped').to.equal(true);
  });

  it('takes a redirect for a refusal, and does not follow it', async () => {
    follow();
    expect(world.call.redirect).to.equal('manual');
    world.call.say('', { Location: 'http://elsewhere.test/changes' }, 302);
    await world.settle();
    expect(states).to.deep.equal([
      { is: 'away', asOf: undefined, retryAt: world.now() + 1000, reason: 'refused' },
    ]);
  });

  it('asks for a stream of everything first, with the filters', async () => {
    follow('meta.mod=x');
    expect(world.call.url.href).to.equal('http://service.test/list/changes?meta.mod=x');
    expect(world.call.accept).to.equal('text/event-stream');
  });

  it('tells the changes that come, and that it is live', async () => {
    await live();
    world.call.push(changesEvent({ removed: ['a'], tag: 't2' }));
    await world.settle();
    expect(told.map(({ full }) => full)).to.deep.equal([true, false]);
    expect(told[1]!.removed).to.deep.equal(['a']);
    expect(states).to.have.length(0);
  });

  it('says that the list is stale while the service says so', async () => {
    await live();
    world.call.push('event: state\ndata: {"stale":true,"as_of":"2025-12-31T23:59:00.000Z"}\n\n');
    await world.settle();
    world.call.push('id: t1\n\n');
    await world.settle();
    expect(states).to.deep.equal([{ is: 'stale', asOf: Date.UTC(2025, 11, 31, 23, 59) }]);
    world.call.push('event: state\ndata: {"stale":false}\n\n');
    await world.settle();
    expect(states.at(-1)).to.deep.equal({ is: 'live' });
  });

  it('says at the beginning of a stream that the list is stale, without calling it live before', async () => {
    follow();
    world.call
      .open({ ...STREAM_TYPE, Date: new Date(world.now() - 3_600_000).toUTCString() })
      .push('event: state\ndata: {"stale":true,"as_of":"2025-12-31T22:59:00Z"}\n\n');
    await world.settle();
    expect(states).to.have.length(0);
    world.call.push(FIRST);
    await world.settle();
    // The clock of the service is an hour behind.
    expect(states).to.deep.equal([{ is: 'stale', asOf: Date.UTC(2025, 11, 31, 23, 59) }]);
  });

  it('takes a stream for dead after five seconds of silence, and goes on where it was', async () => {
    await live();
    world.call.push('id: t2\n\n');
    await world.advance(4999);
    expect(world.calls).to.have.length(1);
    await world.advance(1);
    expect(world.calls[0]!.isAborted).to.equal(true);
    expect(world.calls).to.have.length(2);
    expect(since()).to.equal('t2');
    expect(states).to.deep.equal([
      { is: 'away', asOf: world.now() - 5000, retryAt: world.now(), reason: 'unreachable' },
    ]);
    world.call.open().push('id: t2\n\n');
    await world.settle();
    expect(states.at(-1)).to.deep.equal({ is: 'live' });
  });

  it('pauses before it connects again, whatever the stream has told', async () => {
    await live();
    world.call.push('retry: 0\n\n').end();
    await world.settle();
    expect(world.calls).to.have.length(1);
    await world.advance(100);
    expect(world.calls).to.have.length(2);
  });

  it('connects again after the time that the stream has told, and says nothing of so short a break', async () => {
    await live();
    world.call.end();
    await world.advance(1999);
    expect(world.calls).to.have.length(1);
    await world.advance(1);
    expect(since()).to.equal('t1');
    world.call.open().push('id: t1\n\n');
    await world.advance(2000);
    expect(states).to.have.length(0);
  });

  it('goes on where it was, with no word of an outage, when the service ends a stream that is an hour old', async () => {
    await live();
    for (let second = 0; second < 3600; second += 2) {
      world.call.push(`id: t${second}\n\n`);
      await world.advance(2000);
    }
    // As late as it can be: the last bookmark is 2.5 s old, the pause the longest, and the new stream slow to begin.
    await world.advance(500);
    world.call.push('retry: 1000\n\n').end();
    await world.advance(1000);
    expect(world.calls).to.have.length(2);
    expect(since()).to.equal('t3598');
    await world.advance(1400);
    world.call.open().push(changesEvent({ removed: ['a'], tag: 't9' }));
    await world.settle();
    expect(told.map(({ full }) => full)).to.deep.equal([true, false]);
    expect(states).to.have.length(0);
  });

  it('says that the service is away once it was not heard for five seconds', async () => {
    await live();
    world.call.push('retry: 7000\n\n').end();
    await world.advance(5000);
    expect(states).to.deep.equal([
      { is: 'away', asOf: world.now() - 5000, retryAt: world.now() + 2000, reason: 'unreachable' },
    ]);
  });

  it('loses nothing when a stream is cut in the middle of an event', async () => {
    await live();
    world.call.push(changesEvent({ removed: ['a'], tag: 't2' }).slice(0, -1));
    await world.settle();
    world.call.fail();
    await world.advance(2000);
    expect(told).to.have.length(1);
    expect(since()).to.equal('t1');
  });

  it('waits longer after each failure, at random, and up to 30 seconds', async () => {
    follow();
    const all: number[] = [];
    for (let failure = 0; failure < 7; failure += 1) {
      world.luck = failure % 2;
      world.call.fail();
      await world.settle();
      all.push(pauses().at(-1)!);
      await world.advance(all.at(-1)!);
    }
    expect(all).to.deep.equal([500, 2000, 2000, 8000, 8000, 30_000, 15_000]);
    expect(states.at(-1)).to.deep.include({ is: 'away', asOf: undefined, reason: 'unreachable' });
  });

  it('waits no longer than it may, unless an answer asks for it', async () => {
    follow('', { longestPauseMs: 1000 });
    world.call.open().push(`retry: 7000\n\n${FIRST}`);
    await world.settle();
    world.call.end();
    await world.advance(1000);
    expect(world.calls).to.have.length(2);
    for (let failure = 0; failure < 3; failure += 1) {
      world.call.fail();
      await world.advance(1000);
    }
    expect(world.calls).to.have.length(5);
    world.call.say('', { 'Retry-After': '3' }, 503);
    await world.settle();
    expect(pauses().at(-1)).to.equal(3000);
  });

  it('begins with short pauses again once the service was heard', async () => {
    await live();
    for (let failure = 0; failure < 3; failure += 1) {
      world.call.fail();
      await world.advance(10_000);
    }
    world.call.open().push('id: t1\n\n');
    await world.settle();
    world.call.fail();
    await world.advance(1000);
    world.call.fail();
    await world.settle();
    expect(pauses().at(-1)).to.equal(1000);
  });

  it('reads a character that comes in two pieces', async () => {
    follow();
    const bytes = new TextEncoder().encode(
      changesEvent({ servers: [aServer('a', { name: 'Zürich' })], full: true }),
    );
    const middle = bytes.indexOf(0xc3) + 1;
    world.call.open().push(bytes.subarray(0, middle));
    await world.settle();
    world.call.push(bytes.subarray(middle));
    await world.settle();
    expect(told[0]?.servers[0]?.name).to.equal('Zürich');
  });

  it('waits as long as an answer asks for, in seconds or until a time', async () => {
    follow();
    world.call.say('{}', { ...JSON_TYPE, 'Retry-After': '7' }, 503);
    await world.settle();
    expect(states).to.deep.equal([
      { is: 'away', asOf: undefined, retryAt: world.now() + 7000, reason: 'unavailable' },
    ]);
    await world.advance(7000);
    world.call.say('{}', { ...JSON_TYPE, 'Retry-After': new Date(world.now() + 9000).toUTCString() }, 429);
    await world.settle();
    expect(states.at(-1)).to.deep.include({ retryAt: world.now() + 9000, reason: 'limited' });
  });

  it('is not hurried by an answer that asks for no pause', async () => {
    follow();
    world.call.say('{}', { 'Retry-After': '0' }, 503);
    await world.settle();
    expect(pauses()).to.deep.equal([1000]);
  });

  it('tells the words of the service, or why it was not reached', async () => {
    follow();
    world.call.say('{"status":"error","error":"unknown parameter"}', JSON_TYPE, 400);
    await world.advance(1000);
    world.call.fail();
    await world.settle();
    expect(failures.map(({ says, cause }) => says ?? (cause as Error).message)).to.deep.equal([
      'unknown parameter',
      'the connection is lost',
    ]);
  });

  it('sends the headers that it is given, and takes as much silence as it is told', async () => {
    follow('', { headers: { Authorization: 'Bearer key' }, silenceMs: 400 });
    expect(world.call.headers.get('Authorization')).to.equal('Bearer key');
    world.call.open().push(FIRST);
    await world.advance(399);
    expect(world.calls).to.have.length(1);
    await world.advance(1);
    expect(world.calls).to.have.length(2);
  });

  it('connects at once when it is told to, and begins with short pauses again', async () => {
    follow();
    world.call.say('{}', { 'Retry-After': '600' }, 503);
    await world.settle();
    feed.retry();
    await world.settle();
    expect(world.calls).to.have.length(2);
    world.call.fail();
    await world.settle();
    expect(pauses().at(-1)).to.equal(1000);
  });

  it('leaves a stream alone that is connected', async () => {
    await live();
    feed.retry();
    await world.settle();
    expect(world.calls).to.have.length(1);
  });

  for (const [status, reason] of [
    [401, 'unauthorized'],
    [403, 'refused'],
    [429, 'limited'],
    [502, 'unreachable'],
    [504, 'unreachable'],
    [500, 'refused'],
  ] as const)
    it(`calls the reason ${reason} when the answer is ${status}`, async () => {
      await live();
      world.call.fail();
      await world.advance(2000);
      world.call.say('<h1>No</h1>', { 'Content-Type': 'text/html' }, status);
      await world.settle();
      expect(states.at(-1)).to.deep.include({ is: 'away', reason, asOf: world.now() - 2000 });
      expect(pauses().at(-1)).to.equal(status === 401 ? 30_000 : 1000);
    });

  for (const [what, body, type] of [
    ['a page of a proxy', '<!doctype html><p>Log in', 'text/html'],
    ['garbage as JSON', '{"servers":[', 'application/json'],
    ['other JSON', '{"servers":[{"id":7}],"removed":[],"full":true,"tag":"x"}', 'application/json'],
    ['null', 'null', 'application/json'],
    ['changes of a list that it does not have', changesOf({ removed: ['a'] }), 'application/json'],
    ['an event with garbage', 'event: changes\ndata: {"servers":\n\n', 'text/event-stream'],
    ['a state with garbage', 'event: state\ndata: {\n\n', 'text/event-stream'],
  ] as const)
    it(`takes ${what} for a refusal, and tells no changes`, async () => {
      follow();
      world.call.say(body, { 'Content-Type': type });
      await world.settle();
      expect(states).to.have.length(1);
      expect(states[0]).to.deep.include({ is: 'away', reason: 'refused' });
      expect(told).to.have.length(0);
      await world.advance(1000);
      expect(world.calls).to.have.length(2);
    });

  it('polls every two seconds where streams are refused, and tries a stream again after a minute', async () => {
    follow();
    world.call.say(TOO_MANY, { ...JSON_TYPE, 'Retry-After': '5' }, 429);
    await world.settle();
    expect(world.call.accept).to.equal('application/json');
    for (let poll = 1; poll <= 30; poll += 1) {
      world.call.say(changesOf({ full: poll === 1, tag: `t${poll}` }));
      await world.advance(1999);
      expect(world.calls).to.have.length(poll + 1);
      await world.advance(1);
      expect(since()).to.equal(`t${poll}`);
    }
    expect(world.call.accept).to.equal('text/event-stream');
    expect(states).to.deep.equal([{ is: 'live' }]);
  });

  it('polls where a stream brings nothing for ten seconds', async () => {
    follow();
    world.call.open();
    await world.advance(9999);
    expect(world.calls).to.have.length(1);
    await world.advance(1);
    expect(world.calls[0]!.isAborted).to.equal(true);
    expect(world.call.accept).to.equal('application/json');
    world.call.say(changesOf({ full: true }));
    await world.settle();
    expect(states.at(-1)).to.deep.equal({ is: 'live' });
  });

  it('polls where there is no answer at all to a request for a stream', async () => {
    follow();
    await world.advance(10_000);
    expect(world.call.accept).to.equal('application/json');
    await world.advance(10_000);
    expect(states.at(-1)).to.deep.include({ is: 'away', reason: 'unreachable' });
  });

  it('waits for a first event that is large and comes slowly, and not for a trickle', async () => {
    const servers = Array.from({ length: 2000 }, (_, index) => aServer(`${index}`));
    const text = changesEvent({ servers, full: true });
    follow();
    world.call.open();
    for (let at = 0; at < text.length; at += 10_000) {
      world.call.push(text.slice(at, at + 10_000));
      await world.advance(8000);
      if (world.calls.length > 1) break;
      if (at + 10_000 < text.length) expect(told).to.have.length(0);
    }
    expect(told[0]?.servers).to.have.length(2000);
    feed.stop();

    follow();
    const trickling = world.call.open();
    for (let second = 0; second < 10; second += 1) {
      trickling.push('x');
      await world.advance(1000);
    }
    expect(trickling.isAborted).to.equal(true);
    expect(world.call.accept).to.equal('application/json');
  });

  it('takes a JSON answer to a request for a stream as a poll', async () => {
    follow();
    world.call.say(changesOf({ full: true, tag: 't1' }));
    await world.advance(2000);
    expect(told).to.have.length(1);
    expect(world.call.accept).to.equal('application/json');
    expect(since()).to.equal('t1');
  });

  it('says that the list is stale where the answer to a poll does', async () => {
    follow();
    world.call.say(TOO_MANY, JSON_TYPE, 429);
    await world.settle();
    world.call.say(changesOf({ full: true }), {
      ...JSON_TYPE,
      Warning: '110 - "Response is Stale"',
      Age: '42',
    });
    await world.settle();
    expect(states).to.deep.equal([{ is: 'stale', asOf: world.now() - 42_000 }]);
    await world.advance(2000);
    world.call.say(changesOf({}));
    await world.settle();
    expect(states.at(-1)).to.deep.equal({ is: 'live' });
  });

  it('keeps the time of a stale list while the service is away', async () => {
    await live();
    world.call.push('event: state\ndata: {"stale":true,"as_of":"2025-12-31T23:00:00Z"}\n\n');
    await world.settle();
    await world.advance(5000);
    expect(states.at(-1)).to.deep.include({ is: 'away', asOf: Date.UTC(2025, 11, 31, 23) });
    // A stream that says nothing of the list does not make it any newer.
    world.call.open().end();
    await world.settle();
    expect(states.at(-1)).to.deep.include({ is: 'away', asOf: Date.UTC(2025, 11, 31, 23) });
  });

  it('sleeps when the page was hidden for 30 seconds, and goes on where it was', async () => {
    await live();
    feed.setVisible(false);
    const beat = async (): Promise<void> => {
      world.call.push('id: t9\n\n');
      await world.advance(3000);
    };
    for (let beats = 0; beats < 10; beats += 1) await beat();
    expect(states).to.deep.equal([{ is: 'asleep', asOf: world.now() - 3000 }]);
    expect(world.call.isAborted).to.equal(true);
    await world.advance(3_600_000);
    expect(world.calls).to.have.length(1);
    feed.setVisible(true);
    await world.settle();
    expect(world.calls).to.have.length(2);
    expect(since()).to.equal('t9');
    world.call.open().push('id: t9\n\n');
    await world.settle();
    expect(states.at(-1)).to.deep.equal({ is: 'live' });
  });

  it('goes on when a page is seen again soon', async () => {
    await live();
    feed.setVisible(false);
    await world.advance(1000);
    feed.setVisible(true);
    for (let second = 0; second < 40; second += 1) {
      world.call.push('id: t1\n\n');
      await world.advance(1000);
    }
    expect(world.calls).to.have.length(1);
    expect(states).to.have.length(0);
  });

  it('connects at once when a page is seen again while the service is away', async () => {
    follow();
    world.call.say('{}', { 'Retry-After': '600' }, 503);
    await world.settle();
    feed.setVisible(false);
    feed.setVisible(true);
    await world.settle();
    expect(world.calls).to.have.length(2);
  });

  it('tells nothing any more once it has stopped', async () => {
    follow();
    world.call.open();
    await world.settle();
    feed.stop();
    await world.settle();
    expect(told).to.have.length(0);
    expect(states).to.have.length(0);
  });
});
