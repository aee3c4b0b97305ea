/** `gsls conformance` as a person runs it: what it prints of a client, and its exit codes. */

import { expect } from 'chai';
import { runProgram } from '../../../support/run-program.ts';

/** A program that says this at its start, and answers each start with a line and its end. */
const program = (ready: unknown): readonly string[] => [
  '--',
  process.execPath,
  '--eval',
  `console.log(JSON.stringify(${JSON.stringify({ ready })}));
   require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
     process.stderr.write('no way: ' + line.slice(0, 9) + '\\u001b[2J');
     process.exit(3);
   });`,
];

describe('gsls conformance', () => {
  it('plays what concerns a client, and says what was expected, what was seen and where the rule is', async () => {
    const args = ['conformance', '--scenes', 'plain-life,wrong-certificate'];
    const { code, stdout, stderr } = await runProgram([
      ...args,
      ...program({ name: 'mine', can: ['announce'] }),
    ]);
    expect(stdout).to.equal(`✗ plain-life
    A game server broadcasts once, pings at the interval, and sends a remove when it stops.
    act 2: expected a broadcast
    seen: it ended with exit code 3
    see docs/game-servers.md: Broadcast once, at the start
    | no way: {"start":·[2J
· wrong-certificate, not concerned

mine: 0 passed, 1 failed, 1 do not concern it
`);
    expect([code, stderr]).to.deep.equal([1, '']);
  });

  it('tells programs the same as JSON', async () => {
    const args = ['conformance', '--json', '--scenes', 'wrong-certificate,plain-life'];
    const { code, stdout } = await runProgram([...args, ...program({ name: 'mine', can: ['announce'] })]);
    const { client, can, scenes } = JSON.parse(stdout) as {
      client: string;
      can: string[];
      scenes: { name: string; result: string; expected?: string; seen?: string }[];
    };
    expect([code, client, can]).to.deep.equal([1, 'mine', ['announce']]);
    expect(scenes.map(({ name, result }) => [name, result])).to.deep.equal([
      ['plain-life', 'failed'],
      ['wrong-certificate', 'not concerned'],
    ]);
    expect(scenes[0]).to.include({ expected: 'a broadcast', seen: 'it ended with exit code 3' });
  });

  it('ends, also if a program that the client has started goes on', async () => {
    const left = `setTimeout(() => undefined, 90000)`;
    const { code } = await runProgram([
      'conformance',
      '--scenes',
      'plain-list',
      '--',
      process.execPath,
      '--eval',
      `console.log(JSON.stringify({ ready: { name: 'npm', can: [] } }));
       require('child_process').spawn(process.execPath, ['--eval', '${left}'], { stdio: 'inherit' });`,
    ]);
    expect(code).to.equal(0);
  });

  it('passes a client that no scene concerns', async () => {
    const { code, stdout } = await runProgram(['conformance', ...program({ name: 'nothing', can: [] })]);
    expect(code).to.equal(0);
    expect(stdout).to.match(/\nnothing: 0 passed, \d+ do not concern it\n$/);
  });

  for (const [title, args, message] of [
    ['no command', [], /^gsls: gsls conformance needs the command of a client, after --/],
    [
      'an unknown scene',
      ['--scenes', 'plain-live'],
      /there is no scene "plain-live"[;:,] did you mean plain-life\?$/,
    ],
    ['a program that is not there', ['--', 'no-such-program'], /it cannot be started: ENOENT; see gsls /],
    ['a program that says something else', ['--', 'node', '--print', '1'], /, but it said 1; see gsls /],
    [
      'an ability that there is not',
      program({ name: 'x', can: ['fly'] }),
      /"fly" is nothing that a client can do/,
    ],
  ] as const)
    it(`answers ${title} in one line, with exit code 2`, async () => {
      const { code, stdout, stderr } = await runProgram(['conformance', ...args]);
      expect([code, stdout, stderr.split('\n').length]).to.deep.equal([2, '', 2]);
      expect(stderr.trimEnd()).to.match(message);
    });

  it('lists its scenes with their rules', async () => {
    const { code, stdout } = await runProgram(['conformance', '--list', '--scenes', 'silence']);
    expect(code).to.equal(0);
    expect(stdout).to.match(/^silence {2}\(announce\)\n {4}\S.*\n {4}docs\/\S+: .*\n$/);
  });

  it('lists them for programs, with the words of the documents that they prove', async () => {
    const { code, stdout } = await runProgram([
      'conformance',
      '--list',
      '--json',
      '--scenes',
      'silence,plain-life',
    ]);
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.have.length(2);
    expect((JSON.parse(stdout) as object[])[0]).to.include({ name: 'plain-life', short: true });
  });
});
