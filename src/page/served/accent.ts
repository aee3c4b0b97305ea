/**
 * The accent colour of the page: a chosen colour, made dark enough for a light ground and light enough for a dark one.
 * Contrast is that of WCAG 2.
 */

/** Red, green and blue, from 0 to 255. */
type Color = readonly [number, number, number];

const BLACK: Color = [0, 0, 0];
const WHITE: Color = [255, 255, 255];

/** Grounds that are harder to read on than any ground of the page, which a test checks. */
const LIGHT_GROUND = '#e4e8ee';
const DARK_GROUND = '#2a303c';

/** The contrast of text to its ground: in general, and for readers that ask for more. */
const CONTRAST = 4.5;
const MORE_CONTRAST = 7;

/** A style that sets the accent tokens of the page (tokens.css). `color`: `#rrggbb`. */
export function accentStyle(color: string): string {
  return `${tokens(color, CONTRAST)}
@media (prefers-contrast: more) {
  ${tokens(color, MORE_CONTRAST)}
}
`;
}

function tokens(color: string, contrast: number): string {
  const light = readableOn(LIGHT_GROUND, color, contrast);
  const dark = readableOn(DARK_GROUND, color, contrast);
  return `:root { --accent: ${either(light, dark)}; --on-accent: ${either(textOn(light), textOn(dark))}; }`;
}

/** A value that is the first colour in a light page, and the second in a dark one. */
function either(light: string, dark: string): string {
  return `var(--light, ${light}) var(--dark, ${dark})`;
}

/** The colour, darkened or lightened just enough for the contrast. */
export function readableOn(ground: string, color: string, contrast: number): string {
  const away = luminanceOf(parse(ground)) > 0.18 ? BLACK : WHITE;
  for (let percent = 0; percent < 100; percent += 1) {
    const mixed = format(mix(parse(color), away, percent / 100));
    if (contrastOf(mixed, ground) >= contrast) return mixed;
  }
  return format(away);
}

/** Black or white, whichever has more contrast: one of the two can be read on any ground. */
export function textOn(ground: string): string {
  const [black, white] = [format(BLACK), format(WHITE)];
  return contrastOf(white, ground) >= contrastOf(black, ground) ? white : black;
}

/** The contrast of two colours, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker, lighter] = [one, other].map((color) => luminanceOf(parse(color))).toSorted((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

function luminanceOf(color: Color): number {
  const [red, green, blue] = color.map((channel) => {
    const share = channel / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function mix(color: Color, other: Color, share: number): Color {
  return color.map((channel, index) =>
    Math.round(channel + (other[index]! - channel) * share),
  ) as unknown as Color;
}

function parse(color: string): Color {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Color;
}

function format(color: Color): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
