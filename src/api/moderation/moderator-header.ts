/** The name of a moderator in the header of a proxy that signs people in. */

import { cleared } from '../../model/text-rules.ts';
import { LONGEST } from '../../registry/decisions/rule-fields.ts';

/** Undefined if the header names nobody that can be shown. Node decodes the bytes of headers as latin1. */
export function moderatorIn(header: string | readonly string[] | undefined): string | undefined {
  const name = cleared(Buffer.from(String(header ?? ''), 'latin1').toString());
  return name === '' ? undefined : Array.from(name).slice(0, LONGEST.author).join('');
}
