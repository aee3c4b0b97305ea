/** Starts workers. The one place of the page that makes a script's address, which Trusted Types let pass only here. */

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { readonly createScriptURL: (url: string) => string };
}

/**
 * What starts a worker, which may be tried again. `address`: relative to the page. Throws if it is of another origin.
 */
export function createWorkers(address: string): (tries: number) => Worker {
  const url = new URL(address, document.baseURI);
  if (url.origin !== location.origin) throw new Error('the worker has to be of the same origin');
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('gsls', { createScriptURL: (text) => text });
  return (tries) => {
    const text = tries === 0 ? url.href : `${url.href}?again=${tries}`;
    return new Worker(policy?.createScriptURL(text) ?? text, { type: 'module' });
  };
}
