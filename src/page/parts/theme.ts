/**
 * Light, dark, or what the system wants: which of them a reader has chosen, kept in the browser. base.css obeys the
 * attribute. An embedded page has what its address says.
 */

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'gsls-theme';

/** Makes the page look so, and says how. A browser may refuse its storage, and others may have written to it. */
export function applyKeptTheme(): Theme {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(KEY);
  } catch {
    // Then the system decides.
  }
  const theme = THEMES.find((each) => each === kept) ?? 'auto';
  document.documentElement.dataset['theme'] = theme;
  return theme;
}

/** Without a storage it lasts for the visit. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // As it is full, or refused.
  }
}
