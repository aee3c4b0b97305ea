/** Asks the service for one thing. What can be expected is an outcome, and no exception. */

export type Answer<T> =
  | { readonly is: 'answered'; readonly body: T }
  /** 404. */
  | { readonly is: 'unknown' }
  /** No answer, or one that says nothing of what was asked for. */
  | { readonly is: 'away' };

/** `path`: relative to the page. */
export async function ask<T>(path: string, signal: AbortSignal): Promise<Answer<T>> {
  try {
    const response = await fetch(path, { signal, headers: { Accept: 'application/json' } });
    if (response.status === 404) return { is: 'unknown' };
    if (!response.ok) return { is: 'away' };
    return { is: 'answered', body: (await response.json()) as T };
  } catch {
    return { is: 'away' };
  }
}
