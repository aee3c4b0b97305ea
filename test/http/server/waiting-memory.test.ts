import { expect } from 'chai';
import { WaitingMemory, type WaitingBody } from '../../../src/http/server/waiting-memory.ts';

const part = (length: number): Buffer => Buffer.alloc(length);
const body = (kind: string, ...parts: Buffer[]): WaitingBody => ({ kind, parts });

describe('the memory of bodies that wait', () => {
  const [a, b, c, d] = [part(1), part(10), part(100), part(1000)] as const;
  let memory: WaitingMemory;
  beforeEach(() => {
    memory = new WaitingMemory();
  });

  it('counts a part once, however many bodies and readers share it', () => {
    const [before, after] = [body('', a, b), body('', a, c)];
    for (const each of [before, before, after]) memory.hold(each);
    expect(memory.bytes).to.equal(111);
    memory.release(before, 0, 2);
    expect(memory.bytes).to.equal(111);
    memory.release(before, 0, 2);
    expect(memory.bytes).to.equal(101);
    memory.release(after, 0, 2);
    expect(memory.bytes).to.equal(0);
  });

  it('counts no part that its readers have taken', () => {
    const whole = body('', a, b, c);
    memory.hold(whole);
    memory.hold(whole);
    memory.release(whole, 0, 2);
    expect(memory.bytes).to.equal(111);
    memory.release(whole, 0, 1);
    expect(memory.bytes).to.equal(110);
  });

  it('counts no part of the newest body of each kind', () => {
    const [plain, gzip, newer] = [body('', a, b), body('gzip', c), body('', a, d)];
    for (const each of [plain, gzip, newer]) {
      memory.replaceNewest(each);
      memory.hold(each);
    }
    expect(memory.bytes).to.equal(10);
    expect([plain, gzip, newer].map((each) => memory.isHeldBy(each, 0))).to.deep.equal([true, false, false]);
    expect(memory.isHeldBy(plain, 2)).to.equal(false);
    memory.replaceNewest(plain);
    expect(memory.bytes).to.equal(1000);
    for (const each of [plain, gzip, newer]) memory.release(each, 0, each.parts.length);
    expect(memory.bytes).to.equal(0);
  });
});
