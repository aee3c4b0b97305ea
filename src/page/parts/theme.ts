/**
 * The theme that a reader has chosen, kept in the browser: light, dark, or that of the system. tokens.css obeys the
 * attribute. An embedded page has the theme of its address.
 */

import { keepText, keptText } from './kept-text.ts';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const NAME = 'theme';

/** Applies the kept theme, and returns it; without one the system decides. */
export function applyKeptTheme(): Theme {
  const kept = keptText(NAME);
  const theme = THEMES.find((each) => each === kept) ?? 'auto';
  document.documentElement.dataset['theme'] = theme;
  return theme;
}

export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  keepText(NAME, theme);
}
