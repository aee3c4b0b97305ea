/** The keys that were pressed, from the bytes that a terminal sends for them (ECMA-48, and xterm's function keys). */

export type NamedKey =
  | 'up'
  | 'down'
  | 'pageUp'
  | 'pageDown'
  | 'home'
  | 'end'
  | 'enter'
  | 'escape'
  | 'backspace'
  | 'clear'
  | 'redraw'
  | 'interrupt'
  | 'suspend';

export type Key = { readonly name: NamedKey } | { readonly name: 'text'; readonly text: string };

const SEQUENCES: Readonly<Record<string, NamedKey>> = {
  A: 'up',
  B: 'down',
  H: 'home',
  F: 'end',
  '1~': 'home',
  '7~': 'home',
  '4~': 'end',
  '8~': 'end',
  '5~': 'pageUp',
  '6~': 'pageDown',
};
const CONTROLS: Readonly<Record<string, NamedKey>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u0003': 'interrupt',
  '\u001a': 'suspend',
  '\u0015': 'clear',
  '\u000c': 'redraw',
  '\u001b': 'escape',
};

/** A function key, one of another kind, the beginning of one, or any character. */
const TOKEN = /\u001b(?:\[|O)([\d;?]*[@-~])|\u001b(?:\[|O)[\d;?]*$|\u001b(?=[^[O])[^\u001b]?|[\s\S]/gu; // oxlint-disable-line no-control-regex

/** `text`: what came at once. A terminal sends the bytes of a key together. */
export function keysOf(text: string): readonly Key[] {
  const keys: Key[] = [];
  for (const [token, sequence] of text.matchAll(TOKEN)) {
    const name = sequence === undefined ? CONTROLS[token] : SEQUENCES[sequence];
    if (name !== undefined) keys.push({ name });
    else if (!/\p{Cc}/u.test(token)) keys.push({ name: 'text', text: token });
  }
  return keys;
}
