/** Opens several things in order and closes them in reverse: at the end, or at once when one cannot be opened. */

export type Closer = () => Promise<void>;

export interface Opened<T> {
  readonly value: T;
  /** Closes everything, once. Rejects with the first error, after the rest has been closed as well. */
  readonly close: Closer;
}

/**
 * Runs `open`, which hands over a closer for each thing it has opened. When `open` rejects, what is open is closed and
 * the error is that of `open`, whatever closing comes to.
 */
export async function withClosers<T>(
  open: (closeLater: (closer: Closer) => void) => Promise<T>,
): Promise<Opened<T>> {
  const closers: Closer[] = [];
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= closeInReverse(closers));
  try {
    return { value: await open((closer) => closers.push(closer)), close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

async function closeInReverse(closers: readonly Closer[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of closers.toReversed()) await close().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
