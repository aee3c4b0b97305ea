/**
 * The commands of a script for a shell, without running it: those in pipes, subshells, loops and substitutions too.
 * What it does not understand is an error, so that nothing passes unread.
 */

import { forEachChild, parse, type SyntaxNode, type Word, type WordPart } from 'unbash';

export interface ShellCommand {
  /** The program and its arguments. A variable of the script has its value, any other is as it stands. */
  readonly words: readonly string[];
  /** What it sets by itself (`A=1`), or for the program behind it (`A=1 program`). */
  readonly assignments: Readonly<Record<string, string>>;
  /** Files that it reads or writes by `<` and `>`. */
  readonly redirected: readonly string[];
}

/** Stands for what only a run would tell. */
const UNKNOWN = 'unknown';

/**
 * In the order in which they stand. Throws an Error for what is no command. `variables`: those set before; it adds to
 * them.
 */
export function commandsIn(script: string, variables: Map<string, string>): ShellCommand[] {
  const commands: ShellCommand[] = [];

  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Script' && node.errors?.length)
      throw new Error(`no shell reads it: ${node.errors[0]!.message}`);
    if (node.type === 'HereDoc') {
      // Quoted, it is a text for the program before it; else a shell reads it.
      if (!node.delimiter?.quoted)
        throw new Error('a here-document that is not quoted: teach the test to read it');
      return;
    }
    if (node.type === 'Command') {
      const assigned: Record<string, string> = {};
      for (const part of [...node.prefix, ...node.args]) {
        if (part.type !== 'Assignment') continue;
        if (part.value.type !== 'Word') throw new Error(`an array: ${part.text}`);
        assigned[part.name] = textOf(part.value, variables);
      }
      const words = [...(node.name === undefined ? [] : [node.name]), ...node.args];
      const isSet = node.name === undefined || node.name.value === 'export';
      if (isSet) for (const [name, value] of Object.entries(assigned)) variables.set(name, value);
      commands.push({
        words: words.flatMap((word) => (word.type === 'Word' ? [textOf(word, variables)] : [])),
        assignments: assigned,
        redirected: node.redirects.flatMap((each) =>
          each.type === 'Redirect' && each.target !== undefined ? [textOf(each.target, variables)] : [],
        ),
      });
    }
    forEachChild(node, visit);
  };
  visit(parse(script));
  return commands;
}

function textOf({ value, parts }: Word, variables: ReadonlyMap<string, string>): string {
  return parts === undefined ? value : parts.map((part) => textOfPart(part, variables)).join('');
}

function textOfPart(part: WordPart, variables: ReadonlyMap<string, string>): string {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return part.value;
    case 'DoubleQuoted':
      return part.parts.map((each) => textOfPart(each, variables)).join('');
    case 'SimpleExpansion':
      return variables.get(part.text.slice(1)) ?? part.text;
    case 'ParameterExpansion':
      return UNKNOWN;
    // Two runs of one command may print two texts, such as two keys.
    case 'CommandExpansion':
      return `${UNKNOWN}${part.pos}`;
    case 'Glob':
      return part.text;
    default:
      throw new Error(`${part.type} ${part.text}: teach the test to read it`);
  }
}
