/** How a command is parted into words. */

import { expect } from 'chai';
import { splitCommand } from '../../../../src/tools/announce/config/announce-parsers.ts';

describe('a command', () => {
  for (const [text, words] of [
    ['status.sh', ['status.sh']],
    ['  python3   status.py --port 27015 ', ['python3', 'status.py', '--port', '27015']],
    ['"C:\\Program Files\\status.exe" --full', ['C:\\Program Files\\status.exe', '--full']],
    ['C:\\games\\status.exe', ['C:\\games\\status.exe']],
    [`say 'a "b" c' "d 'e' f"`, ['say', 'a "b" c', "d 'e' f"]],
    [`run --name="my server"x ''`, ['run', '--name=my serverx', '']],
    ['echo $HOME; rm -rf * | cat > x', ['echo', '$HOME;', 'rm', '-rf', '*', '|', 'cat', '>', 'x']],
  ] as const)
    it(`has the words of ${text}`, () => {
      expect(splitCommand(text)).to.deep.equal(words);
    });

  for (const [text, message] of [
    ['', 'must name a program'],
    ['  ', 'must name a program'],
    ['""', 'must name a program'],
    ['run "my server', 'must close its quote "'],
    ["run 'x", "must close its quote '"],
    ['run \0', 'must not hold a zero byte'],
  ] as const)
    it(`is refused: ${JSON.stringify(text)}`, () => {
      expect(() => splitCommand(text)).to.throw(message);
    });
});
