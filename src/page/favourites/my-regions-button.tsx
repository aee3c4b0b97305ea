/** Opens the choice of regions whose servers come first. */

import './my-regions-button.css';
import type { JSX } from 'preact';
import { Icon } from '../parts/icon.tsx';
import { usePage } from '../parts/page-context.ts';
import { runCommand } from '../parts/use-shortcuts.ts';
import { useMyRegions } from './use-my-regions.ts';

export function MyRegionsButton(): JSX.Element {
  const { texts } = usePage();
  const { chosen } = useMyRegions();
  return (
    <button
      type="button"
      class={`my-regions-button${chosen.length > 0 ? ' is-on' : ''}`}
      aria-haspopup="dialog"
      title={[texts.myRegions.title, chosen.join(', ')].filter((text) => text !== '').join(': ')}
      onClick={() => runCommand('regions')}
    >
      <Icon name="globe" />
      <span>{texts.myRegions.title}</span>
    </button>
  );
}
