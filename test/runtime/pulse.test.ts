import { expect } from 'chai';
import { DEADLINES } from '../../src/runtime/deadlines.ts';
import { Pulse } from '../../src/runtime/pulse.ts';

describe('the pulse of the process', () => {
  const { setInterval: actualSetInterval } = globalThis;
  const actualNow = performance.now.bind(performance);
  let now: number;
  let beat: () => void;
  let pulse: Pulse;
  let pauses: number[];
  beforeEach(() => {
    now = 5000;
    performance.now = () => now;
    globalThis.setInterval = (task: () => void) => {
      beat = task;
      return actualSetInterval(() => undefined, 1e9);
    };
    pulse = new Pulse(DEADLINES, () => now);
    pauses = [];
    pulse.onPause((at) => pauses.push(at));
  });
  afterEach(() => {
    pulse.stop();
    globalThis.setInterval = actualSetInterval;
    performance.now = actualNow;
  });

  it('says when it beat last, and not when somebody looked', () => {
    now += 250;
    beat();
    now += 100;
    expect([pulse.look(), pulse.beatAt]).to.deep.equal([5350, 5250]);
  });

  it('has a pause over 1 s, since before its end', () => {
    now += 1000;
    beat();
    expect([pulse.hasPausedSince(5000), pauses]).to.deep.equal([false, []]);
    now += 1001;
    beat();
    expect([5000, 7000, 7001].map((at) => pulse.hasPausedSince(at))).to.deep.equal([true, true, false]);
    expect(pauses).to.deep.equal([7001]);
  });

  it('has a pause that nothing has noticed yet, for those that began before it', () => {
    now += 1001;
    expect([5000, 5500].map((at) => pulse.hasPausedSince(at))).to.deep.equal([true, false]);
  });

  it('tells of a pause once, whoever looks first', () => {
    now += 1001;
    pulse.look();
    beat();
    expect(pauses).to.deep.equal([6001]);
    expect(pulse.hasPausedSince(6000)).to.equal(true);
  });

  it('was late to a beat also if somebody has looked meanwhile', () => {
    now += 600;
    pulse.look();
    now += 600;
    beat();
    expect(pauses).to.deep.equal([]);
    expect(pulse.hasPausedSince(6199)).to.equal(true);
  });

  it('tells those no more that have left', () => {
    const told: number[] = [];
    const leave = pulse.onPause((at) => told.push(at));
    leave();
    now += 1001;
    beat();
    expect([told, pauses]).to.deep.equal([[], [6001]]);
  });

  it('is one of its own for each', () => {
    const other = new Pulse(DEADLINES, () => now);
    now += 1001;
    pulse.look();
    expect([pulse, other].map((each) => each.hasPausedSince(6000.5))).to.deep.equal([true, false]);
    other.stop();
  });
});
