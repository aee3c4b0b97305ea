/** Copies an address, and says so. Where the browser does not let the page, the reader is shown the address to copy. */

import { copyText } from './copy-text.ts';
import { announce } from './announce.ts';
import { usePage } from '../parts/page-context.ts';

/** False if the reader has to copy it. */
export function useCopyAddress(): (address: string) => Promise<boolean> {
  const { texts } = usePage();
  return async (address) => {
    const isCopied = await copyText(address);
    if (isCopied) announce(texts.addressCopied);
    else prompt(texts.copyByHand, address);
    return isCopied;
  };
}
