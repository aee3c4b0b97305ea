/** What the head of an answer says of a list, whoever has written it. */

import { expect } from 'chai';
import {
  clockOffsetMs,
  FeedFailure,
  isEventStream,
  parseStateEvent,
  parseToldChanges,
  staleSince,
} from '../../../../clients/typescript/src/feed/changes-answer.ts';

const NOW = Date.parse('2026-11-26T10:00:00Z');
const answer = (headers: Record<string, string>): Response => {
  const response = new Response('', { headers });
  // A Response of a text has a type by itself.
  if (headers['Content-Type'] === undefined) response.headers.delete('Content-Type');
  return response;
};

describe('an answer with a list', () => {
  for (const [title, headers, since] of [
    ['is current without a Warning', {}, undefined],
    ['is current with a Warning of something else', { Warning: '299 - "x"' }, undefined],
    ['is stale since its Age', { Warning: '110 - "x"', Age: '5' }, NOW - 5000],
    ['is stale since now, if it has no Age', { Warning: '111 - "x"' }, NOW],
    ['is stale since now, if its Age is none', { Warning: '110 - "x"', Age: 'old' }, NOW],
  ] as const)
    it(title, () => {
      expect(staleSince(new Headers(headers), NOW)).to.equal(since);
    });

  it('is a stream if it says so', () => {
    expect(isEventStream(answer({ 'Content-Type': 'text/event-stream; charset=utf-8' }))).to.equal(true);
    expect(isEventStream(answer({ 'Content-Type': 'application/json' }))).to.equal(false);
    expect(isEventStream(answer({}))).to.equal(false);
  });

  it('tells the clock of the service, if it has a Date', () => {
    expect(clockOffsetMs(answer({ Date: 'Thu, 26 Nov 2026 09:59:58 GMT' }), NOW)).to.equal(2000);
    expect(clockOffsetMs(answer({ Date: 'yesterday' }), NOW)).to.equal(0);
    expect(clockOffsetMs(answer({}), NOW)).to.equal(0);
  });

  for (const text of [
    '',
    'null',
    '7',
    '[]',
    '{"servers":[null],"removed":[],"full":true,"tag":"a"}',
    '{"servers":[],"removed":[],"full":true,"tag":"\\ud800"}',
  ])
    it(`has no changes, if it is ${text === '' ? 'empty' : text}`, () => {
      expect(() => parseToldChanges(text)).to.throw(FeedFailure);
    });

  it('has a state that is current, unless it says that it is stale', () => {
    expect(parseStateEvent('{"stale":true,"as_of":"2026-11-26T10:00:00Z"}')).to.deep.equal({
      isStale: true,
      asOf: NOW,
    });
    expect(parseStateEvent('null')).to.deep.equal({ isStale: false, asOf: undefined });
  });
});
