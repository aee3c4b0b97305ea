import { setImmediate as nextRound } from 'node:timers/promises';
import { expect } from 'chai';
import type { Snapshot } from '../../../src/registry/snapshot/snapshot.ts';
import { LatestAnswers, LEAST_KEPT_BYTES, type MakeAnswer } from '../../../src/api/work/latest-answers.ts';
import { Turns } from '../../../src/api/work/turns.ts';
import { OWN, type Asker, type Work } from '../../../src/api/work/work.ts';

const MOST_KEPT = 4;

const snapshotNumber = (version: number): Snapshot => ({ version }) as unknown as Snapshot;
const [first, second, third] = [1, 2, 3].map(snapshotNumber) as [Snapshot, Snapshot, Snapshot];
const client: Asker = { client: { address: '203.0.113.1' } };

function* failing(): Work<never> {
  yield;
  throw new Error('broken');
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextRound();
}

describe('the latest answers', () => {
  let answers: LatestAnswers<string>;
  /** The versions that an answer was made of. */
  let made: number[];
  let lasts: (string | undefined)[];
  /** Ends the makings that wait. */
  let finish: (() => void)[];
  beforeEach(() => {
    answers = new LatestAnswers({
      turns: new Turns(),
      keptBytes: MOST_KEPT * LEAST_KEPT_BYTES,
      bytesOf: (answer) => answer.length,
    });
    [made, lasts, finish] = [[], [], []];
  });

  const atOnce = (): MakeAnswer<string> =>
    function* ({ version }, last) {
      made.push(version);
      lasts.push(last);
      yield;
      return `answer ${version}`;
    };

  const waiting = (): MakeAnswer<string> =>
    function* ({ version }) {
      made.push(version);
      yield new Promise<void>((resolve) => finish.push(resolve));
      return `answer ${version}`;
    };

  const ask = (snapshot: Snapshot, begin = atOnce, question = 'q', asker = OWN): Promise<string> =>
    answers.of(question, snapshot, asker, begin);

  it('are made once for each list, from the answer before', async () => {
    expect(await Promise.all([ask(first), ask(first)])).to.deep.equal(['answer 1', 'answer 1']);
    expect(await ask(first)).to.equal('answer 1');
    expect(await ask(second)).to.equal('answer 2');
    expect(made).to.deep.equal([1, 2]);
    expect(lasts).to.deep.equal([undefined, 'answer 1']);
  });

  it('are of the newest list for all that ask while an older one is answered, and of that one for those of it', async () => {
    const begun = ask(first, waiting);
    await until(() => finish.length === 1);
    const later = [ask(second), ask(third)];
    const ofTheFirst = ask(first);
    finish[0]!();
    expect(await Promise.all([begun, ofTheFirst])).to.deep.equal(['answer 1', 'answer 1']);
    await until(() => finish.length === 2);
    finish[1]!();
    expect(await Promise.all(later)).to.deep.equal(['answer 3', 'answer 3']);
    expect(made).to.deep.equal([1, 3]);
  });

  it('that fail are made anew for those that ask next', async () => {
    const failures = await Promise.allSettled([ask(first, () => failing), ask(first, () => failing)]);
    expect(failures.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    answers.clear();
    expect(await ask(first)).to.equal('answer 1');
  });

  it('that are refused are made anew for those that ask next', async () => {
    const busy = new LatestAnswers<string>({
      turns: new Turns({ mostWaitMs: -1 }),
      keptBytes: LEAST_KEPT_BYTES,
      bytesOf: () => 1,
    });
    const refused = await busy.of('q', first, client, atOnce).catch((error: Error) => error);
    expect(refused).to.have.property('code', 'overloaded');
    expect(await busy.of('q', first, OWN, atOnce)).to.equal('answer 1');
  });

  it('are kept as far as the memory for them goes, the one that is longer than all of it alone', async () => {
    for (const question of ['a', 'b', 'c', 'd', 'e']) await ask(first, atOnce, question);
    expect(['a', 'b', 'c', 'd', 'e'].filter((each) => answers.has(each))).to.deep.equal(['c', 'd', 'e']);
    await ask(
      first,
      () =>
        function* () {
          yield;
          return ' '.repeat(2 * MOST_KEPT * LEAST_KEPT_BYTES);
        },
      'long',
    );
    expect(['c', 'd', 'e', 'long'].filter((each) => answers.has(each))).to.deep.equal(['long']);
    answers.clear();
    expect(answers.has('long')).to.equal(false);
  });
});
