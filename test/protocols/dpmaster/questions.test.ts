import { expect } from 'chai';
import { Questions, type Asked } from '../../../src/protocols/dpmaster/questions.ts';
import { createGameServerId } from '../../../src/model/game-server.ts';
import { parseIp } from '../../../src/model/net/ip.ts';

describe('dpmaster: game servers that said farewell', () => {
  let questions: Questions;
  beforeEach(() => (questions = new Questions()));

  function farewellOf(port: number, isStranger = false): Asked {
    const peer = { address: parseIp('192.0.2.1')!, port };
    const asked = questions.begin(createGameServerId(), peer, isStranger);
    questions.ask(asked, true);
    return asked;
  }
  /** The silent game servers of each tick, until the time for an answer is over, and of two more ticks. */
  const portsAfter = (most: number): number[][] =>
    Array.from({ length: 11 }, () => questions.tick(most).map(({ peer }) => peer.port));

  it('come as many at once as are wanted, the others later', () => {
    for (const port of [1, 2, 3]) farewellOf(port);
    expect(portsAfter(2).slice(-3)).to.deep.equal([[1, 2], [3], []]);
  });

  it('come not when they have answered meanwhile', () => {
    for (const port of [1, 2, 3]) questions.answered(farewellOf(port));
    expect(portsAfter(2).flat()).to.deep.equal([]);
  });

  it('come not when they are strangers, whose places are free again', () => {
    farewellOf(1, true);
    expect(questions.strangersOf()).to.equal(1);
    expect(portsAfter(2).flat()).to.deep.equal([]);
    expect(questions.strangersOf()).to.equal(0);
  });
});
