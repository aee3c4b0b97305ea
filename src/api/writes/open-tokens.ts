/** Opens the server tokens of a service: with the secrets of the operator, or else with that of the registry. */

import type { Backend } from '../../registry/backend.ts';
import { createServerTokens, type ServerTokens } from './server-token.ts';

export interface OpenTokensOptions {
  /** The name of the registry, which is a part of each token. */
  readonly registryName: string;
  readonly registry: Pick<Backend, 'secret'>;
  /** The secrets that the operator has set; empty if that of the registry is to be used. */
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
