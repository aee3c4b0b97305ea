/** Opens the rule for details of an operator: that of --details-schema, or of the configuration file. */

import { UsageError } from '../../runtime/usage-error.ts';
import type { DetailsRule } from './validation.ts';

/**
 * Compiles the schema, which the file at `path` holds if there is a path. Rejects with a UsageError when it cannot be
 * used. Loads what compiles it only if there is one.
 */
export async function openDetailsRule(
  path: string | undefined,
  schema: unknown,
): Promise<DetailsRule | undefined> {
  if (schema === undefined) return undefined;
  const { createDetailsRule } = await import('./details-schema.ts');
  try {
    return createDetailsRule(schema);
  } catch (error) {
    const reason = (error as Error).message.replaceAll(/\s+/g, ' ');
    throw new UsageError(
      `the details schema${path === undefined ? '' : ` ${path}`} cannot be used: ${reason}`,
    );
  }
}
