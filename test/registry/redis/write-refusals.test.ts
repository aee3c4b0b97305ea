/** When a time in which Redis refuses writes begins and ends. */

import { expect } from 'chai';
import { WriteRefusals } from '../../../src/registry/redis/write-refusals.ts';

const CALM_MS = 10_000;
const reply = (message: string): Error => Object.assign(new Error(message), { name: 'ReplyError' });
const FULL = reply("OOM command not allowed when used memory > 'maxmemory'.");

describe('a time of refusal', () => {
  let now: number;
  let told: string[];
  let refusals: WriteRefusals;
  beforeEach(() => {
    now = 0;
    told = [];
    refusals = new WriteRefusals({
      calmMs: CALM_MS,
      now: () => now,
      events: {
        onWritesRefused: ({ message }) => told.push(message.split(' ')[0]!),
        onWritesAccepted: () => told.push('accepted'),
      },
    });
  });
  const after = (ms: number): WriteRefusals => {
    now += ms;
    return refusals;
  };

  it('begins with the first write that is refused, and is reported once', () => {
    for (let write = 0; write < 5; write += 1) after(1).noteFailure(FULL);
    after(1).note(new Error('MISCONF whatever'));
    expect(told).to.deep.equal(['OOM']);
  });

  it('ends with a write that succeeds, once none was refused for a while', () => {
    refusals.noteFailure(FULL);
    after(CALM_MS - 1).noteSuccess();
    expect(told).to.deep.equal(['OOM']);
    after(1).noteSuccess();
    after(1).noteSuccess();
    expect(told).to.deep.equal(['OOM', 'accepted']);
  });

  it('does not end while writes are refused now and then', () => {
    for (let minute = 0; minute < 60; minute += 1) {
      refusals.noteFailure(FULL);
      for (let second = 0; second < 9; second += 1) after(1000).noteSuccess();
    }
    expect(told).to.deep.equal(['OOM']);
  });

  it('takes longer to end each time that it comes back soon, so that an hour at the limit has few lines', () => {
    for (let second = 0; second < 3600; second += 1) {
      after(1000).noteSuccess();
      if (second % 12 === 0) refusals.noteFailure(FULL);
    }
    expect(told).to.deep.equal(['OOM', 'accepted', 'OOM']);
  });

  it('ends as soon as ever when it comes back late', () => {
    for (let times = 0; times < 3; times += 1) {
      after(60_000).noteFailure(FULL);
      after(CALM_MS).noteSuccess();
    }
    expect(told).to.deep.equal(['OOM', 'accepted', 'OOM', 'accepted', 'OOM', 'accepted']);
  });

  it('is not begun by an absence, a late write or damaged keys', () => {
    for (const failure of [
      new Error('Command timed out'),
      reply("READONLY You can't write against a read only replica."),
      reply('LATE 1795434042135'),
      reply('WRONGTYPE Operation against a key holding the wrong kind of value'),
      undefined,
    ])
      refusals.noteFailure(failure);
    expect(told).to.deep.equal([]);
  });

  it('that was forgotten ends without a word, and begins anew', () => {
    refusals.noteFailure(FULL);
    refusals.forget();
    after(CALM_MS).noteSuccess();
    refusals.noteFailure(FULL);
    expect(told).to.deep.equal(['OOM', 'OOM']);
  });
});
