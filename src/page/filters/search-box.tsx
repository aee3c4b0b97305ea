/** The search for words. A typed text takes effect after a short pause, and adds no step to the browser's history. */

import './filters.css';
import type { JSX, PartialInputHTMLAttributes } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { filterText, withValue } from './edit-filters.ts';
import { encodeText } from '../address/page-url.ts';
import { LONGEST_SEARCH } from '../../model/query/limits.ts';
import { Icon } from '../parts/icon.tsx';
import { usePage } from '../parts/page-context.ts';

/** How long typing must pause, in ms: less than between two keys of a quick typist. */
const PAUSE_MS = 40;

export function SearchBox(): JSX.Element {
  const { state, navigate } = usePage();
  const sought = filterText(state.filters, 'q');
  const [typed, setTyped] = useState(sought);

  // The search may also change without typing: by a step back, or when all filters are removed. Then the field changes
  // as soon as that is rendered: later, text typed meanwhile would be lost with the change.
  const own = useRef(sought);
  useLayoutEffect(() => {
    if (sought !== own.current) setTyped(sought);
    own.current = sought;
  }, [sought]);

  const search = (text: string): void => {
    const words = text.trim();
    if (words === own.current) return;
    own.current = words;
    navigate(({ filters }) => ({ filters: withValue(filters, 'q', encodeText(words)) }), { replace: true });
  };
  useEffect(() => {
    const timer = setTimeout(() => search(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  return (
    <SearchField
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') search(typed);
      }}
    />
  );
}

type FieldOptions = Partial<
  Pick<
    PartialInputHTMLAttributes<HTMLInputElement>,
    'name' | 'placeholder' | 'value' | 'onInput' | 'onKeyDown'
  >
>;

/** The search field, of the page or of a form. */
export function SearchField(options: FieldOptions): JSX.Element {
  const { texts } = usePage();
  return (
    <div class="search-box">
      <Icon name="search" />
      <input
        class="field"
        id="search"
        type="search"
        aria-label={texts.search}
        placeholder={texts.filters.hint}
        maxLength={LONGEST_SEARCH}
        enterKeyHint="search"
        autoComplete="off"
        spellcheck={false}
        {...options}
      />
    </div>
  );
}
