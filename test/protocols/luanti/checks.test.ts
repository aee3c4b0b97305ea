import { expect } from 'chai';
import { Checks } from '../../../src/protocols/luanti/checks.ts';

/** A check that runs until it is told to end. */
class Held {
  signal: AbortSignal | undefined;
  end: () => void = () => undefined;
  readonly run = (signal: AbortSignal): Promise<void> => {
    this.signal = signal;
    return new Promise((resolve) => (this.end = resolve));
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function add(
  checks: Checks,
  count: number,
  ipOf: (index: number) => string,
): { held: Held[]; refused: number } {
  const held = Array.from({ length: count }, () => new Held());
  const refused = held.filter(
    ({ run }, index) => !checks.add(`${ipOf(index)} ${index}`, ipOf(index), run),
  ).length;
  return { held, refused };
}

const running = (held: readonly Held[]): number => held.filter(({ signal }) => signal !== undefined).length;

describe('the checks of Luanti servers', () => {
  it('run eight at a time for one network, the next when one is over', async () => {
    const { held } = add(new Checks(), 10, () => '198.51.100.7');
    expect(running(held)).to.equal(8);
    held[0]!.end();
    await settle();
    expect(running(held)).to.equal(9);
  });

  it('leave the others their turn while one network has many', () => {
    const checks = new Checks();
    add(checks, 100, () => '198.51.100.7');
    const { held } = add(checks, 1, () => '203.0.113.9');
    expect(running(held)).to.equal(1);
  });

  it('run 128 at a time in all', () => {
    const { held } = add(new Checks(), 200, (index) => `198.51.100.${index}`);
    expect(running(held)).to.equal(128);
  });

  it('have no place for more than 250 of one network, nor for more than 1000 in all', async () => {
    const checks = new Checks();
    const one = add(checks, 251, () => '2001:db8::7');
    expect(one.refused).to.equal(1);
    expect(add(checks, 1, () => '2001:db8::8').refused).to.equal(1);
    expect(add(checks, 751, (index) => `198.51.${index % 5}.7`).refused).to.equal(1);
    one.held[0]!.end();
    await settle();
    expect(add(checks, 1, () => '203.0.113.9').refused).to.equal(0);
  });

  it('are one for each entry: a later one ends the one before', async () => {
    const checks = new Checks();
    const [before, after] = [new Held(), new Held()];
    checks.add('id', '198.51.100.7', before.run);
    checks.add('id', '198.51.100.7', after.run);
    expect(before.signal!.aborted).to.equal(true);
    before.end();
    await settle();
    checks.cancel('id');
    expect(after.signal!.aborted).to.equal(true);
  });

  it('do not begin any more once cancelled', async () => {
    const checks = new Checks();
    const { held } = add(checks, 8, () => '198.51.100.7');
    const waiting = new Held();
    checks.add('id', '198.51.100.7', waiting.run);
    checks.cancel('id');
    held[0]!.end();
    await settle();
    expect(waiting.signal).to.equal(undefined);
  });

  it('end when the room closes', () => {
    const checks = new Checks();
    const { held } = add(checks, 3, () => '198.51.100.7');
    checks.close();
    expect(held.every(({ signal }) => signal!.aborted)).to.equal(true);
  });
});
