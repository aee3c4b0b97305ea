/** Opens the server tokens of a service: by the secrets of the operator, or else by that of the registry. */

import type { Backend } from '../../registry/backend.ts';
import { createServerTokens, type ServerTokens } from './server-token.ts';

export interface OpenTokensOptions {
  /** The name of the registry, which is a part of each token. */
  readonly registryName: string;
  readonly registry: Pick<Backend, 'secret'>;
  /** Those that the operator has set; empty for that of the registry. */
  readonly tokenSecrets: () => readonly string[];
}

export function openTokens({ registryName, registry, tokenSecrets }: OpenTokensOptions): ServerTokens {
  return createServerTokens({
    registryName,
    secrets() {
      const secret = registry.secret.text;
      if (tokenSecrets().length > 0) return tokenSecrets();
      return secret === undefined ? [] : [secret];
    },
  });
}
