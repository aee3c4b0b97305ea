/** Copies a text, such as an address. */

import type { JSX } from 'preact';
import { Icon } from './icon.tsx';
import { usePage } from './page-context.ts';
import { useCopyAddress } from '../hooks/use-copy-address.ts';

export interface CopyButtonOptions {
  readonly text: string;
  /** What the button does, for readers that do not see what it belongs to. */
  readonly label: string;
  /** The text on the button; undefined for a picture alone. */
  readonly shown?: string;
  readonly icon?: 'copy' | 'link';
  /** The text that is read aloud after copying; by default one for an address. */
  readonly said?: string;
  /** The command of the shortcut that presses it. */
  readonly command?: 'copy';
}

export function CopyButton({
  text,
  label,
  shown,
  icon = 'copy',
  said,
  command,
}: CopyButtonOptions): JSX.Element {
  const { texts } = usePage();
  const { copiedId, copyAddress } = useCopyAddress(said);
  const isCopied = copiedId === text;
  return (
    <button
      type="button"
      class={shown === undefined ? 'icon-button' : 'button'}
      data-command={command}
      aria-label={label}
      title={shown === undefined ? texts.copyAddress : undefined}
      onClick={() => copyAddress(text, text)}
    >
      <Icon name={isCopied ? 'check' : icon} />
      {shown !== undefined && <span>{isCopied ? texts.copied : shown}</span>}
    </button>
  );
}
