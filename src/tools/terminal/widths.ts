/**
 * How many columns of a terminal a text takes. string-width knows it of every text, and takes longer to load than a
 * short command to run: so the widths of common letters are told here, and it is loaded for texts with others.
 */

type Measure = (text: string) => number;

/** Each takes one column, and joins nothing. */
const NARROW =
  ' -~\\xa1-\\xa8\\xaa-\\xac\\xaf-\\u02ff\\u0370-\\u0377\\u037a-\\u037f\\u0384-\\u038a\\u0391-\\u03a1' +
  '\\u0400-\\u0482\\u048a-\\u052f\\u05d0-\\u05ea\\u0621-\\u063a\\u0641-\\u064a\\u2010-\\u2027\\u2030-\\u203b' +
  '\\u20a0-\\u20bf\\u2190-\\u2193\\u2500-\\u25a9\\u2605\\u2606\\u271a';
/** Each takes two columns, and joins nothing. */
const WIDE =
  '\\u3001-\\u3029\\u3041-\\u3096\\u30a1-\\u30fa\\u30fc\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60';

const ONLY_NARROW = new RegExp(`^[${NARROW}]*$`);
const ONLY_COMMON = new RegExp(`^[${NARROW}${WIDE}]*$`);
const IS_WIDE = new RegExp(`[${WIDE}]`, 'g');

let measure: Measure | undefined;
let segmenter: Intl.Segmenter | undefined;

/** Whether its characters are all common ones, each of which stands alone. */
export function isCommon(text: string): boolean {
  return ONLY_COMMON.test(text);
}

/** Resolves once the widths of all texts are known. */
export async function loadWidths(): Promise<void> {
  measure ??= (await import('string-width')).default;
}

/**
 * The width in columns. The text has no control characters. Before loadWidths has resolved, one that is not common
 * counts as twice as wide as it is long, which no text is.
 */
export function widthOf(text: string): number {
  if (ONLY_NARROW.test(text)) return text.length;
  if (ONLY_COMMON.test(text)) return text.length + (text.match(IS_WIDE)?.length ?? 0);
  return measure?.(text) ?? 2 * text.length;
}

/** The characters as people count them. */
export function charactersOf(text: string): Iterable<string> {
  if (isCommon(text)) return text;
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
