/** The switch between what the system wants, light, and dark. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { usePage } from '../parts/page-context.ts';
import { applyKeptTheme, chooseTheme, THEMES } from '../parts/theme.ts';

export function ThemeButton(): JSX.Element {
  const { texts } = usePage();
  // Again: while replicas are upgraded, the script that does so first may not be there.
  const [theme, setTheme] = useState(applyKeptTheme);
  const turn = (): void => {
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
    chooseTheme(next);
    setTheme(next);
  };
  const label = texts.theme[theme];
  return (
    <button type="button" class="icon-button" title={label} onClick={turn}>
      <Icon name={theme} />
      <span class="visually-hidden">{label}</span>
    </button>
  );
}
