/** Opens the rule of --details-schema. */

import { UsageError } from '../../runtime/usage-error.ts';
import type { Config } from '../../service/config/config.ts';
import type { DetailsRule } from './validation.ts';

/** Rejects with a UsageError when the schema cannot be used. Loads what compiles it only if there is one. */
export async function openDetailsRule({
  detailsSchema: path,
  detailsSchemaJson: schema,
}: Config): Promise<DetailsRule | undefined> {
  if (path === undefined) return undefined;
  const { createDetailsRule } = await import('./details-schema.ts');
  try {
    return createDetailsRule(schema);
  } catch (error) {
    const reason = (error as Error).message.replaceAll(/\s+/g, ' ');
    throw new UsageError(`the details schema ${path} cannot be used: ${reason}`);
  }
}
