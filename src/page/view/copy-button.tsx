/** Copies an address. Where the browser does not let it, the address is there to be copied by hand. */

import './copy-button.css';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { announce } from './announce.ts';
import { copyText } from './copy-text.ts';
import { Icon } from './icon.tsx';
import { useTexts } from './page-context.ts';

export interface CopyButtonOptions {
  readonly address: string;
  /** What the button does, for those that do not see what it belongs to. */
  readonly label: string;
  readonly tabIndex?: number | undefined;
  /** With a picture alone. */
  readonly isCompact?: boolean;
}

const SHOWN_MS = 2000;

export function CopyButton({ address, label, tabIndex, isCompact = false }: CopyButtonOptions): JSX.Element {
  const texts = useTexts();
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'failed'>('none');
  useEffect(() => {
    if (outcome !== 'copied') return undefined;
    const timer = setTimeout(() => setOutcome('none'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(address);
    setOutcome(isCopied ? 'copied' : 'failed');
    if (isCopied) announce(texts.copied);
  };
  if (outcome === 'failed')
    return (
      <input
        class="field copy-field"
        readOnly
        value={address}
        aria-label={texts.copyByHand}
        ref={(field) => field?.select()}
        onBlur={() => setOutcome('none')}
      />
    );
  const isCopied = outcome === 'copied';
  return (
    <button
      type="button"
      class={isCompact ? 'icon-button' : 'button'}
      data-command="copy"
      aria-label={label}
      title={isCompact ? texts.copyAddress : undefined}
      tabIndex={tabIndex}
      onClick={copy}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      {!isCompact && <span>{isCopied ? texts.copied : texts.copyAddress}</span>}
    </button>
  );
}
