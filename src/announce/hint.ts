/** What can be done about a refusal: the options of `gsls` that have to do with it. */

import type { Answer } from '../client/ask.ts';

/** To go behind the words of the service; '' where nothing helps. The operator of the service is the one who can. */
export function hintFor({ code, status }: Answer): string {
  if (code === 'quota_exceeded')
    return '; the operator of the service can list more from here with --quota-exempt';
  if (status === 429) return '; the operator of the service can allow more with --rate-limit';
  if (code === 'unauthorized') return '; give its key with GSLS_KEY or --key-file';
  return '';
}
