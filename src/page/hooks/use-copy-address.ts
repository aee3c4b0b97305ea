/** Copies an address, and announces that. If the browser does not allow it, the reader is shown the address to copy. */

import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../parts/page-context.ts';
import { sayAloud } from './say-aloud.ts';

/** How long the page shows that it has copied. */
const SAID_MS = 2000;

export interface CopyAddress {
  /** The `id` whose address was copied a moment ago. */
  readonly copiedId: string | undefined;
  /** `id`: that of the owner of the address. */
  readonly copyAddress: (address: string, id: string) => Promise<void>;
}

/** `said`: the text that is read aloud after copying. */
export function useCopyAddress(said?: string): CopyAddress {
  const { texts } = usePage();
  const [copied, setCopied] = useState<{ readonly id: string }>();
  useEffect(() => {
    if (copied === undefined) return undefined;
    const timer = setTimeout(() => setCopied(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copyAddress = async (address: string, id: string): Promise<void> => {
    if (!(await copyText(address))) return void prompt(texts.copyByHand, address);
    sayAloud(said ?? texts.addressCopied);
    setCopied({ id });
  };
  return { copiedId: copied?.id, copyAddress };
}

/** Puts a text on the clipboard, even on pages without TLS. Resolves with whether that succeeded. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The browser refused, or this is no secure context.
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  // While a dialog is modal, nothing outside of it can be selected.
  (focused?.closest('dialog') ?? document.body).append(field);
  field.select();
  // This is deprecated, and the only way without a secure context.
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}
