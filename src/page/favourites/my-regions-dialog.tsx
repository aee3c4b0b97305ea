/** The dialog for the regions whose servers come first, and its button. A choice takes effect at once. */

import './my-regions-button.css';
import './my-regions-dialog.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Answers } from '../connection/get-json.ts';
import { useAnswers } from '../connection/use-answers.ts';
import { Dialog } from '../parts/dialog.tsx';
import { usePage } from '../parts/page-context.ts';
import { runCommand, useShortcuts } from '../parts/use-shortcuts.ts';
import { toggleRegion, useMyRegions } from './my-regions.ts';
import { Icon } from '../parts/icon.tsx';

/** The counts are refreshed rarely, as new regions are rare. */
const REFRESH_MS = 60_000;
const HINT_ID = 'my-regions-hint';

/** The dialog, once a reader opens it. */
export function MyRegionsDialog(): JSX.Element | null {
  const [isOpen, setIsOpen] = useState(false);
  useShortcuts({ regions: () => setIsOpen(true) });
  return isOpen ? <OpenDialog onClose={() => setIsOpen(false)} /> : null;
}

function OpenDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const { texts } = usePage();
  return (
    <Dialog name="my-regions" title={texts.myRegions.title} describedBy={HINT_ID} onClose={onClose}>
      <p class="muted" id={HINT_ID}>
        {texts.myRegions.hint}
      </p>
      <Choice />
      <button type="button" class="button is-main" onClick={onClose}>
        {texts.myRegions.done}
      </button>
    </Dialog>
  );
}

/** The regions of the list, and those chosen before: they stay, so that they can be chosen again. */
function Choice(): JSX.Element {
  const { texts, formats } = usePage();
  const { regions, chosen } = useMyRegions();
  const [before] = useState(chosen);
  const { answers, hasFailed } = useAnswers<Answers['Stats']>(['stats'], REFRESH_MS);
  const [, stats] = answers[0] ?? [];
  const counts = new Map(stats?.regions.map(({ value, servers }) => [value, servers]));
  const values = [...new Set([...counts.keys(), ...before, ...chosen])];
  const isWaiting = stats === undefined && !hasFailed;
  return (
    <div class="my-regions-values">
      {values.map((region) => (
        <label key={region}>
          <input
            type="checkbox"
            checked={chosen.includes(region)}
            onChange={() => toggleRegion(regions, region)}
          />
          <bdi>{region}</bdi>
          {counts.has(region) && (
            <span class="muted">
              <span aria-hidden="true">{formats.number(counts.get(region)!)}</span>
              <span class="visually-hidden">{texts.servers(counts.get(region)!)}</span>
            </span>
          )}
        </label>
      ))}
      {isWaiting && <p class="muted">{texts.statistics.loadingNumbers}</p>}
      {values.length === 0 && !isWaiting && <p class="muted">{texts.statistics.noValues}</p>}
    </div>
  );
}

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
      <span class="text-if-wide">{texts.myRegions.title}</span>
    </button>
  );
}
