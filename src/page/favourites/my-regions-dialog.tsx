/**
 * The dialog for the regions whose servers come first, and its button. A choice takes effect at once. Quick join opens
 * it, too, for a player who has not chosen yet, and goes on with the choice.
 */

import './my-regions-dialog.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Answers } from '../connection/get-json.ts';
import { useAnswers } from '../connection/use-answers.ts';
import { useQuickJoin } from '../join/use-quick-join.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { usePage } from '../parts/page-context.ts';
import { RegionMark } from '../parts/regions.tsx';
import { runCommand, useShortcuts } from '../hooks/use-shortcuts.ts';
import { toggleRegion, useMyRegions } from './my-regions.ts';

/** The counts are refreshed rarely, as new regions are rare. */
const REFRESH_MS = 60_000;
const HINT_ID = 'my-regions-hint';

/** The dialog, once a reader or quick join opens it. */
export function MyRegionsDialog(): JSX.Element | null {
  const [isOpen, setIsOpen] = useState(false);
  const { isAskingRegion, answerRegion } = useQuickJoin();
  useShortcuts({ regions: () => setIsOpen(true) });
  if (isAskingRegion)
    return <OpenDialog onClose={() => answerRegion(false)} onDone={() => answerRegion(true)} />;
  return isOpen ? <OpenDialog onClose={() => setIsOpen(false)} /> : null;
}

interface OpenDialogOptions {
  readonly onClose: () => void;
  /** Called after a choice with which quick join goes on. */
  readonly onDone?: () => void;
}

function OpenDialog({ onClose, onDone }: OpenDialogOptions): JSX.Element {
  const { texts } = usePage();
  const { regions, chosen } = useMyRegions();
  const done = (): void => {
    // No region is a choice as well. The last choice may not be rendered yet.
    regions.set(regions.value ?? []);
    (onDone ?? onClose)();
  };
  return (
    <Dialog name="my-regions" title={texts.myRegions.title} describedBy={HINT_ID} onClose={onClose}>
      <p class="muted" id={HINT_ID}>
        {texts.myRegions.hint}
      </p>
      <Choice />
      <button type="button" class="button is-main" onClick={done}>
        {onDone === undefined
          ? texts.myRegions.done
          : chosen.length === 0
            ? texts.myRegions.anywhere
            : texts.quickJoin.open}
      </button>
    </Dialog>
  );
}

/** The regions of the list, and those chosen before: they stay, so that they can be chosen again. */
function Choice(): JSX.Element {
  const { texts, formats, regionName } = usePage();
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
          <RegionMark region={region} name={regionName(region)} />
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

/** The chooser in the bar, which says whose servers come first. */
export function RegionButton(): JSX.Element {
  const { texts, regionName } = usePage();
  const { chosen } = useMyRegions();
  const names = chosen.map(regionName);
  const { region, any, first } = texts.myRegions.button;
  return (
    <button
      type="button"
      class="button region-button"
      aria-haspopup="dialog"
      title={[texts.myRegions.title, names.join(', ')].filter((text) => text !== '').join(': ')}
      onClick={() => runCommand('regions')}
    >
      <Icon name="globe" />
      <span class="text-if-wide">{region}</span>
      <b>{names.length === 0 ? any : first(names[0]!, names.length - 1)}</b>
      <span class="text-if-wide">
        <Icon name="down" />
      </span>
    </button>
  );
}
