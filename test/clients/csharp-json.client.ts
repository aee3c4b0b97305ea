/** The JSON of the client for C#, which is its own: JSON.parse says what each text means. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { needs } from '../support/needs.ts';
import { useDirectory } from '../support/use-directory.ts';
import { compileCSharp, CSHARP, CSHARP_SUPPORT } from './support/csharp.ts';

const NO_JSON = 'no JSON';

/** The UTF-16 of a text: surrogates stay as they are. */
function hexOf(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return units.map((unit) => unit.toString(16).padStart(4, '0')).join('');
}

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

needs(...CSHARP.needs).describe('the JSON of the client for C#', function () {
  this.timeout(120_000);
  const newPath = useDirectory();
  let program: string;
  before(async () => {
    program = newPath();
    await compileCSharp({ sources: [join(CSHARP_SUPPORT, 'JsonReader.cs')], out: program });
  });

  /** How the client writes what it has read. */
  function read(texts: readonly string[]): string[] {
    const input = `${texts.map(hexOf).join('\n')}\n`;
    const { stdout } = spawnSync('mono', [program], { input, encoding: 'utf8' });
    return stdout.split('\n').slice(0, -1);
  }

  function expectAsInJavaScript(texts: readonly string[]): void {
    const answers = read(texts);
    expect(answers).to.have.length(texts.length);
    for (const [index, text] of texts.entries()) {
      let expected: unknown;
      try {
        expected = JSON.parse(text);
      } catch {
        expect(answers[index], text).to.equal(NO_JSON);
        continue;
      }
      expect(answers[index], text).not.to.equal(NO_JSON);
      // What JSON cannot write, such as an infinite number, is null in both.
      expect(JSON.parse(answers[index]!), text).to.deep.equal(JSON.parse(JSON.stringify(expected)));
    }
  }

  it('reads all kinds of values, in any spaces', () => {
    expectAsInJavaScript('{} [] "" 0 true false null {"a":{"b":[1,"x",null]}}'.split(' '));
    expectAsInJavaScript([' { } ', '\t[\n]\r', ' [ 1 , 2 ] ', '{ "a" : 1 , "b" : [ ] }']);
    expectAsInJavaScript([
      '[1,-1,0.5,-0,1e3,1E-3,1.5e+2]',
      '"\\u00e9\\n\\t\\"\\\\\\/"',
      '"東京 🎮"',
      '"\u007f"',
    ]);
  });

  it('refuses what is no JSON', () => {
    expectAsInJavaScript('{ } [ ] " {"a" {"a": {"a":1 {"a":1, {"a":1,} [1,] [,] {,} , {a:1} {}x'.split(' '));
    expectAsInJavaScript(
      'nul nulll True NaN Infinity undefined - +1 01 -01 .5 1. 1e 1e+ 0x10 1_000'.split(' '),
    );
    expectAsInJavaScript('"\\x41" "\\u12" "\\u12g4" "\\u "\\ /**/1'.split(' '));
    expectAsInJavaScript([
      '',
      ' ',
      '[1 2]',
      '1 2',
      '{"a" 1}',
      "{'a':1}",
      '// no\n{}',
      '\u00a0{}',
      '\ufeff{}',
    ]);
    expectAsInJavaScript(['"\n"', '"\t"', '"a\u0000"', '\u0000', '{}\u0000']);
  });

  it('takes lone surrogates as they are', () => {
    expectAsInJavaScript([
      '"\\ud800"',
      '"\\udc00\\ud800"',
      '{"\\udfff":"a\\ud83cb"}',
      '"\ud800"',
      '"x\udc00"',
    ]);
  });

  it('takes numbers that are too large or too small', () => {
    const long = '9'.repeat(400);
    const texts = [
      '1e999',
      '-1e999',
      '1e-999',
      '-0.0',
      long,
      `-${long}`,
      `0.${long}`,
      `1e${long}`,
      `1e-${long}`,
    ];
    expectAsInJavaScript([...texts, '9007199254740993', '123456789012345678901234567890']);
  });

  it('takes the last of members with one name', () => {
    expectAsInJavaScript(['{"a":1,"a":2}', '{"a":{"b":1},"a":"x","":0,"":null}']);
  });

  it('takes as many levels as an answer may have, and refuses more, however many there are', () => {
    expectAsInJavaScript([nested(100), `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`]);
    expect(read([nested(1000), nested(100_000), '['.repeat(100_000)])).to.deep.equal([
      NO_JSON,
      NO_JSON,
      NO_JSON,
    ]);
  });

  it('reads an answer with a character lost, doubled or swapped, or with its end cut off', () => {
    const whole = '{"status":"success","a":[1.5e3,"\\u00e9\\\\",{"b":null}],"t":true}';
    const damaged = Array.from({ length: whole.length }, (_, at) => {
      const [before, one, two, after] = [
        whole.slice(0, at),
        whole[at]!,
        whole[at + 1] ?? '',
        whole.slice(at + 2),
      ];
      return [before, before + two + after, before + one + one + two + after, before + two + one + after];
    });
    expectAsInJavaScript(damaged.flat());
  });
});
