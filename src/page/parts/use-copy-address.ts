/** Copies an address, and says so. Where the browser does not let the page, the reader is shown the address to copy. */

import { useEffect, useState } from 'preact/hooks';
import { usePage } from './page-context.ts';
import { sayAloud } from './say-aloud.ts';

/** The page says for this long that it has copied. */
const SAID_MS = 2000;

export interface CopyAddress {
  /** The `id` whose address was copied a moment ago. */
  readonly copiedId: string | undefined;
  /** `id`: what the address is of. */
  readonly copyAddress: (address: string, id: string) => Promise<void>;
}

/** `said`: read aloud once it is copied. */
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

/** Puts a text on the clipboard, on pages without TLS too. Resolves with whether it is there now. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Refused, or no secure context.
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  // In a modal dialog nothing outside of it can be selected.
  (focused?.closest('dialog') ?? document.body).append(field);
  field.select();
  // Deprecated, and the only way without a secure context.
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}
