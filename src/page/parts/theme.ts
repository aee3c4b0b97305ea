/**
 * The theme that a reader has chosen, kept in the browser: light, dark, or that of the system. tokens.css obeys the
 * attribute. An embedded page has the theme of its address.
 */

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'gsls-theme';

/** Applies the kept theme, and returns it. A browser may refuse its storage, and others may have written to it. */
export function applyKeptTheme(): Theme {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(KEY);
  } catch {
    // Without a storage the system decides.
  }
  const theme = THEMES.find((each) => each === kept) ?? 'auto';
  document.documentElement.dataset['theme'] = theme;
  return theme;
}

/** Without a storage the choice lasts for the visit. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The storage may be full, or refused.
  }
}
