import { expect } from 'chai';
import { Backlog } from '../../../src/api/work/backlog.ts';

describe('the backlog', () => {
  let nowMs: number;
  let backlog: Backlog;
  beforeEach(() => {
    nowMs = 5000;
    backlog = new Backlog(() => nowMs);
  });

  function add(client: string, count: number): void {
    for (let n = 0; n < count; n += 1) backlog.add(client);
  }

  /** Many jobs, each so long after the one before, until nothing else is known. */
  function work(msPerJob: number): void {
    for (let n = 0; n < 100; n += 1) {
      backlog.add('worker');
      nowMs += msPerJob;
      backlog.complete('worker');
    }
  }

  it('lets nothing wait before anything is known, and nothing that comes alone', () => {
    add('a', 1000);
    expect(backlog.waitMs('a')).to.equal(0);
    for (let n = 0; n < 1000; n += 1) backlog.remove('a');
    work(20);
    expect(backlog.waitMs('a')).to.equal(0);
  });

  it('lets a client wait for its own work, as fast as work was done last', () => {
    work(20);
    add('a', 10);
    expect(backlog.waitMs('a')).to.be.closeTo(200, 1);
    expect(backlog.size).to.equal(10);
  });

  it('lets a client wait for one job of each other client, and for no more than there are', () => {
    work(20);
    add('a', 100);
    expect(backlog.waitMs('b')).to.be.closeTo(20, 1);
    add('c', 100);
    expect(backlog.waitMs('b')).to.be.closeTo(40, 1);
    add('b', 1);
    expect(backlog.waitMs('b')).to.be.closeTo(100, 1);
    expect(backlog.waitMs('a')).to.be.closeTo(201 * 20, 1);
  });

  it('follows how fast work is done, also where some is given up', () => {
    work(20);
    work(2);
    add('a', 100);
    expect(backlog.waitMs('a')).to.be.closeTo(200, 1);
    nowMs += 1000;
    backlog.remove('a');
    expect(backlog.waitMs('a')).to.be.closeTo(198, 1);
  });

  it('knows half as much after each second without work', () => {
    work(20);
    nowMs += 2000;
    add('a', 10);
    expect(backlog.waitMs('a')).to.be.closeTo(50, 1);
    nowMs += 10_000;
    expect(backlog.waitMs('a')).to.be.closeTo(50, 1);
  });
});
