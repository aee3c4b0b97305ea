/** Copies an address. */

import type { JSX } from 'preact';
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

export function CopyButton({ address, label, isCompact = false }: CopyButtonOptions): JSX.Element {
  const { texts } = usePage();
  const { copiedId, copyAddress } = useCopyAddress();
  const isCopied = copiedId !== undefined;
  return (
    <button
      type="button"
      class={isCompact ? 'icon-button' : 'button'}
      // The shortcut copies the first address.
      data-command={isCompact ? undefined : 'copy'}
      aria-label={label}
      title={isCompact ? texts.copyAddress : undefined}
      onClick={() => copyAddress(address, address)}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      {!isCompact && <span>{isCopied ? texts.copied : texts.copyAddress}</span>}
    </button>
  );
}
