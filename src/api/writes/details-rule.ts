/** Opens the rule of --details-schema. */

import { UsageError } from '../../runtime/usage-error.ts';
import type { DetailsRule } from './validation.ts';

/**
 * Compiles the schema that the file at `path` holds. Rejects with a UsageError when it cannot be used. Loads what
 * compiles it only if there is one.
 */
export async function openDetailsRule(
  path: string | undefined,
  schema: unknown,
): Promise<DetailsRule | undefined> {
  if (path === undefined) return undefined;
  const { createDetailsRule } = await import('./details-schema.ts');
  try {
    return createDetailsRule(schema);
  } catch (error) {
    const reason = (error as Error).message.replaceAll(/\s+/g, ' ');
    throw new UsageError(`the details schema ${path} cannot be used: ${reason}`);
  }
}
