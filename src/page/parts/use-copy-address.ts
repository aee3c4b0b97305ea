/** Copies an address, and says so. Where the browser does not let the page, the reader is shown the address to copy. */

import { useEffect, useState } from 'preact/hooks';
import { usePage } from './page-context.ts';
import { announce } from './announce.ts';
import { copyText } from './copy-text.ts';

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
    announce(said ?? texts.addressCopied);
    setCopied({ id });
  };
  return { copiedId: copied?.id, copyAddress };
}
