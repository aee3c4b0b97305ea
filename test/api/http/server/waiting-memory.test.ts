import { expect } from 'chai';
import { WaitingMemory, type WaitingBody } from '../../../../src/api/http/server/waiting-memory.ts';

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
    const [first, second, third] = [before, before, after].map((each) => memory.hold(each));
    expect(memory.bytes).to.equal(111);
    memory.release(first!);
    expect(memory.bytes).to.equal(111);
    memory.release(second!);
    expect(memory.bytes).to.equal(101);
    memory.release(third!);
    expect(memory.bytes).to.equal(0);
  });

  it('counts no part that its readers have taken', () => {
    const whole = body('', a, b, c);
    const [one, other] = [memory.hold(whole), memory.hold(whole)];
    memory.release(one, 2);
    expect(memory.bytes).to.equal(111);
    memory.release(other, 1);
    expect(memory.bytes).to.equal(110);
    memory.release(one);
    expect(memory.bytes).to.equal(110);
    memory.release(other);
    expect(memory.bytes).to.equal(0);
  });

  it('counts no part of the newest body of each kind', () => {
    const [plain, gzip, newer] = [body('', a, b), body('gzip', c), body('', a, d)];
    const held = [plain, gzip, newer].map((each) => {
      memory.replaceNewest(each);
      return memory.hold(each);
    });
    expect(memory.bytes).to.equal(10);
    expect(held.map((each) => memory.isHeldBy(each))).to.deep.equal([true, false, false]);
    memory.replaceNewest(plain);
    expect(memory.bytes).to.equal(1000);
    for (const each of held) memory.release(each);
    expect(memory.bytes).to.equal(0);
    expect(held.map((each) => memory.isHeldBy(each))).to.deep.equal([false, false, false]);
  });
});
