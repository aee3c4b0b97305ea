/**
 * A chat component of Minecraft as plain text: https://minecraft.wiki/w/Text_component_format. It was written by a
 * stranger, down to its types, and may be as deep and long as its packet allows.
 */

const MOST_LEVELS = 16;
/** Far more than is shown of it. */
const MOST_LETTERS = 2048;

/** `§a` and the like: a colour or a style. `§x` is followed by six more, one a digit. */
const CODES = /§./gsu;

/** On one line, without codes. */
export function chatText(component: unknown): string {
  const parts: string[] = [];
  collect(component, MOST_LEVELS, { left: MOST_LETTERS }, parts);
  return parts.join('').replaceAll(CODES, '').replaceAll(/\s+/gu, ' ').trim();
}

function collect(component: unknown, levels: number, room: { left: number }, parts: string[]): void {
  if (room.left <= 0 || levels === 0) return;
  if (typeof component === 'string') {
    const text = component.slice(0, room.left);
    room.left -= text.length;
    parts.push(text);
  } else if (Array.isArray(component)) {
    for (const each of component) {
      // Empty ones cost as well.
      room.left -= 1;
      if (room.left <= 0) return;
      collect(each, levels - 1, room, parts);
    }
  } else if (typeof component === 'object' && component !== null) {
    const { text, translate, fallback, extra } = component as Readonly<Record<string, unknown>>;
    const own = [text, fallback, translate].find((each) => typeof each === 'string');
    if (own !== undefined) collect(own, levels - 1, room, parts);
    if (Array.isArray(extra)) collect(extra, levels - 1, room, parts);
  }
}
