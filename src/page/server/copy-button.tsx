/** Copies an address. */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { usePage } from '../parts/page-context.ts';
import { useCopyAddress } from './use-copy-address.ts';

export interface CopyButtonOptions {
  readonly address: string;
  /** What the button does, for those that do not see what it belongs to. */
  readonly label: string;
  /** With a picture alone. */
  readonly isCompact?: boolean;
}

const SHOWN_MS = 2000;

export function CopyButton({ address, label, isCompact = false }: CopyButtonOptions): JSX.Element {
  const { texts } = usePage();
  const copyAddress = useCopyAddress();
  const [copies, setCopies] = useState(0);
  const isCopied = copies > 0;
  useEffect(() => {
    if (copies === 0) return undefined;
    const timer = setTimeout(() => setCopies(0), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copies]);
  const copy = async (): Promise<void> => {
    if (!(await copyAddress(address))) return;
    setCopies(copies + 1);
  };
  return (
    <button
      type="button"
      class={isCompact ? 'icon-button' : 'button'}
      // The shortcut copies the first address.
      data-command={isCompact ? undefined : 'copy'}
      aria-label={label}
      title={isCompact ? texts.copyAddress : undefined}
      onClick={copy}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      {!isCompact && <span>{isCopied ? texts.copied : texts.copyAddress}</span>}
    </button>
  );
}
