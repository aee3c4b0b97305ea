/** HTML in which every value is text: nothing that a game server says can become markup. */

/** A piece of HTML, which may be put into another one as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** `undefined` and `false` are nothing. */
export type HtmlValue = string | number | Html | readonly Html[] | undefined | false;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template: its values are texts between tags, or in the quotes of an attribute. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0]!;
  for (const [index, value] of values.entries()) text += textOf(value) + strings[index + 1]!;
  return new Html(text);
}

function textOf(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  // NUL ends the text for some readers, and a browser replaces it.
  return String(value)
    .replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!)
    .replaceAll('\0', '\ufffd');
}
