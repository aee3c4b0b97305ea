/** `GET /changes` as a stream of Server-Sent Events, over real sockets. */

import { once } from 'node:events';
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { constants, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Service } from '../../../src/service/service.ts';
import { ask, expectError } from '../../support/ask.ts';
import { aBroadcast, aGameServer } from '../../support/builders.ts';
import { EventParser, type ServerSentEvent } from '../../support/event-parser.ts';
import type { ToldChanges } from '../../support/follow-changes.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';

const EVENTS = { Accept: 'text/event-stream' };

interface Stream {
  readonly answer: IncomingMessage;
  readonly events: readonly (ServerSentEvent & { readonly changes: ToldChanges })[];
  readonly parser: EventParser;
  /** The text so far. */
  readonly text: () => string;
  readonly hangUp: () => void;
}

describe('GET /changes as a stream', function () {
  let service: Service;
  const open: Stream[] = [];
  beforeEach(async () => {
    service = await startTestService({ GSLS_FEED_INTERVAL: '100' });
  });
  afterEach(async () => {
    for (const { hangUp } of open.splice(0)) hangUp();
    await service.close();
  });

  async function openStream(query = '', headers: OutgoingHttpHeaders = {}): Promise<Stream> {
    const asked = request(`${service.url}/changes${query}`, {
      agent: false,
      headers: { ...EVENTS, ...headers },
    }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    const events: (ServerSentEvent & { readonly changes: ToldChanges })[] = [];
    const parser = new EventParser((event) =>
      events.push({ ...event, changes: JSON.parse(event.data) as ToldChanges }),
    );
    let text = '';
    answer.setEncoding('utf8');
    answer.on('error', () => undefined);
    answer.on('data', (part: string) => {
      text += part;
      parser.push(part);
    });
    const stream = { answer, events, parser, text: () => text, hangUp: () => answer.destroy() };
    open.push(stream);
    return stream;
  }

  async function broadcast(overrides: Record<string, unknown> = {}): Promise<string> {
    return (await ask(service, 'POST /broadcast', { body: aBroadcast(overrides) })).body.server_id!;
  }

  async function remove(id: string): Promise<void> {
    await ask(service, 'POST /remove', { body: { server_id: id, server_ip: aGameServer().ip } });
  }

  it('begins with a time for the next connection and the whole list, and goes on with what changes', async () => {
    const id = await broadcast({ server_name: 'first' });
    const { events, parser, text } = await openStream();
    await until(() => events.length === 1);
    expect(text()).to.match(
      /^retry: [123]\d{3}\n\nid: [\w-]+\.[\da-z]+\nevent: changes\ndata: \{"servers":\[/,
    );
    expect(parser.retryMs).to.be.within(1000, 3000);
    const [{ changes, type, id: tag }] = events as [(typeof events)[number]];
    expect(type).to.equal('changes');
    expect(Object.keys(changes)).to.deep.equal(['servers', 'removed', 'full', 'tag']);
    expect(changes.tag).to.equal(tag);
    expect(changes.full).to.equal(true);
    expect(changes.servers.map(({ name }) => name)).to.deep.equal(['first']);

    const second = await broadcast({ server_name: 'second' });
    await until(() => events.length === 2);
    expect(events[1]!.changes).to.deep.include({ removed: [], full: false });
    expect(events[1]!.changes.servers.map((server) => server.id)).to.deep.equal([second]);
    await remove(id);
    await until(() => events.length === 3);
    expect(events[2]!.changes).to.deep.include({ servers: [], removed: [id], full: false });
  });

  it('has the headers of a stream, for HEAD as well', async () => {
    const { answer } = await openStream();
    expect(answer.statusCode).to.equal(200);
    const headers = {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
    };
    expect(answer.headers).to.include(headers);
    expect(answer.headers.vary).to.equal('Accept, Accept-Encoding');
    const head = await ask(service, 'HEAD /changes', { headers: EVENTS });
    expect(head.status).to.equal(200);
    expect(head.headers).to.include(headers);
    expect(head.text).to.equal('');
  });

  it('goes on where Last-Event-ID says, which counts more than since', async () => {
    await broadcast();
    const first = await openStream();
    await until(() => first.events.length === 1);
    const { tag } = first.events[0]!.changes;
    first.hangUp();
    const id = await broadcast();
    for (const [query, headers] of [
      [`?since=${tag}`, {}],
      ['?since=unknown.1', { 'Last-Event-ID': tag }],
      ['', { 'Last-Event-ID': tag }],
    ] as const) {
      const { events } = await openStream(query, headers);
      await until(() => events.length === 1);
      expect(events[0]!.changes.full).to.equal(false);
      expect(events[0]!.changes.servers.map((server) => server.id)).to.deep.equal([id]);
    }
  });

  it('tells a client that has missed nothing where it stands, and no event', async () => {
    await broadcast();
    const first = await openStream();
    await until(() => first.events.length === 1);
    const { tag } = first.events[0]!.changes;
    const { parser, events, text } = await openStream(`?since=${tag}`);
    await until(() => parser.lastEventId !== '');
    expect(text()).to.match(/^retry: \d+\n\nid: \S+\n\n$/);
    expect(parser.lastEventId).to.equal(tag);
    expect(events).to.deep.equal([]);
  });

  it('tells those that filter only of entries that match or matched', async () => {
    const follower = await openStream('?name=a*');
    await until(() => follower.events.length === 1);
    await broadcast({ server_name: 'b' });
    const id = await broadcast({ server_name: 'a1' });
    await until(() => follower.events.length === 2);
    expect(follower.events[1]!.changes.servers.map((server) => server.id)).to.deep.equal([id]);
    await ask(service, 'POST /ping', { body: aBroadcast({ server_id: id, server_name: 'b1' }) });
    await until(() => follower.events.length === 3);
    expect(follower.events[2]!.changes).to.deep.include({ servers: [], removed: [id] });
    // A change that concerns the client neither before nor after.
    await ask(service, 'POST /ping', { body: aBroadcast({ server_id: id, server_name: 'b2' }) });
    await broadcast({ server_name: 'a2' });
    await until(() => follower.events.length === 4);
    expect(follower.events[3]!.changes.removed).to.deep.equal([]);
  });

  it('tells where it stands in each two seconds without an event', async () => {
    const { parser, events } = await openStream('?name=nobody');
    await until(() => events.length === 1);
    await broadcast();
    const at = performance.now();
    await until(() => parser.bookmarks > 0);
    expect(performance.now() - at).to.be.at.least(1000);
    expect(parser.lastEventId).to.not.equal(events[0]!.id);
    const { events: later } = await openStream('?name=nobody', { 'Last-Event-ID': parser.lastEventId });
    const tag = parser.lastEventId;
    const { body } = await ask(service, `GET /changes?since=${tag}`);
    expect(body).to.deep.include({ servers: [], removed: [], full: false });
    expect(later).to.deep.equal([]);
  });

  it('is one gzip file, however many changes, and ends as one', async () => {
    const asked = request(`${service.url}/changes`, {
      agent: false,
      headers: { ...EVENTS, 'Accept-Encoding': 'gzip' },
    }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect(answer.headers['content-encoding']).to.equal('gzip');
    const parts: Buffer[] = [];
    answer.on('data', (part: Buffer) => parts.push(part));
    const textSoFar = (): string =>
      gunzipSync(Buffer.concat(parts), { finishFlush: constants.Z_SYNC_FLUSH }).toString();
    for (let n = 0; n < 5; n += 1) {
      await broadcast({ server_name: `server ${n}` });
      await until(() => textSoFar().includes(`server ${n}`));
    }
    const ended = once(answer, 'end');
    const closed = service.close();
    await ended;
    await closed;
    const text = gunzipSync(Buffer.concat(parts)).toString();
    const events: string[] = [];
    new EventParser(({ data }) => events.push(data)).push(text);
    expect(events.join('')).to.include('server 4');
    expect(text.match(/^retry: /gm)).to.have.length(2);
  });

  it('ends first when the replica is to stop, with a time of its own for each client', async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream()));
    await until(() => streams.every(({ events }) => events.length === 1));
    const ends = Promise.all(streams.map(({ answer }) => once(answer, 'end')));
    void service.close({ delayMs: 60_000 });
    await ends;
    const times = streams.map(({ parser }) => parser.retryMs!);
    for (const time of times) expect(time).to.be.within(500, 5000);
    expect(Math.max(...times) - Math.min(...times)).to.be.greaterThan(500);
    expectError(await ask(service, 'GET /changes', { headers: EVENTS }), 'shutting_down');
    expect((await ask(service, 'GET /changes')).status).to.equal(200);
  });
});
