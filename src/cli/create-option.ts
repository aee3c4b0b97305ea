/** An option of the command line from a row of a table of options. Its values are texts: a table parses them. */

import { Option } from 'commander';
import type { OptionDefinition } from '../config/option.ts';

/** By this name in the options of the command: a list of texts, or true for a switch. */
export function createOption(name: string, definition: OptionDefinition<unknown>): Option {
  const { flag, argument, group, description, variable, repeatable, defaultText } = definition;
  const initial = defaultText ?? String(definition.default);
  const parsed = new Option(
    argument ? `${flag} ${argument}` : flag,
    `${description}\n(${variable}; default: ${initial})`,
  ).helpGroup(`${group}:`);
  parsed.attributeName = () => name;
  // To commander --no-x is the opposite of an option x, and on by default; here it is a switch like any other.
  parsed.negate = false;
  if (argument === undefined) return parsed;
  return parsed.argParser((text: string, earlier: string[] | undefined) =>
    repeatable ? [...(earlier ?? []), text] : [text],
  );
}
