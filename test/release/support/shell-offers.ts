/** What a shell offers for the last word of a line, by a file of completions. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The words for each line that was asked. */
export type Offered = readonly (readonly string[])[];

export function offersOfBash(file: string, asked: readonly string[]): Offered {
  const calls = asked.map((line) => {
    const words = line.split(' ').map((word) => `'${word}'`);
    return `COMP_WORDS=(${words.join(' ')}) COMP_CWORD=${words.length - 1}; _gsls; echo "\${COMPREPLY[*]}"`;
  });
  return wordsOf('bash', ['--norc', '-c', `source '${file}'\n${calls.join('\n')}`]);
}

export function offersOfFish(file: string, asked: readonly string[]): Offered {
  const calls = asked.map((line) => `echo (complete -C '${line}' | string replace -r '\\t.*' '')`);
  return wordsOf('fish', ['--no-config', '-c', `source '${file}'\n${calls.join('\n')}`]);
}

/** Each line that the program prints. */
function wordsOf(command: string, args: readonly string[]): Offered {
  const lines = execFileSync(command, args, { encoding: 'utf8' }).split('\n').slice(0, -1);
  return lines.map((line) => line.split(' ').filter((word) => word !== ''));
}

/**
 * Completion of zsh works on a terminal alone. A shell on one writes into a file what it is about to offer, and dashes
 * when it begins to take keys and behind each line that was asked.
 */
export function offersOfZsh(file: string, asked: readonly string[]): Offered {
  const folder = mkdtempSync(join(tmpdir(), 'gsls-zsh-'));
  const [offered, setUp, driver] = ['offered', 'set-up', 'driver'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  try {
    writeFileSync(offered, '');
    writeFileSync(
      setUp,
      `fpath=('${dirname(file)}' $fpath); autoload -Uz compinit; compinit -u -D
       compadd() {
         if [[ " $* " == *' -'[OAD]' '* ]]; then builtin compadd "$@"; return; fi
         local -a hits; builtin compadd -A hits "$@"
         print -rl -- $hits >> '${offered}'
       }
       divide() { BUFFER=; print -- ---- >> '${offered}' }
       zle -N divide; zle -N zle-line-init divide; bindkey '^G' divide; bindkey '^X' list-choices`,
    );
    const lines = asked.map((line) => `zpty -n -w shell '${line}'$'\\x18\\x07'; wait_for_more`);
    writeFileSync(
      driver,
      `zmodload zsh/zpty; integer seen=0
       wait_for_more() {
         until (( $(grep -c -- ---- '${offered}') > seen )) { zpty -r -t shell screen; sleep 0.01 }
         seen+=1
       }
       zpty shell zsh -f -i; zpty -w shell 'source ${setUp}'; wait_for_more
       ${lines.join('\n')}`,
    );
    execFileSync('zsh', ['-f', driver]);
    const parts = readFileSync(offered, 'utf8').split('----\n').slice(1, -1);
    return parts.map((part) => {
      const hits = part.split('\n').map((hit) => hit.replace(/=$/, ''));
      return [...new Set(hits)].filter((hit) => hit !== '');
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
