/** Draws a component again when something outside of the components changes. */

import { useEffect, useState } from 'preact/hooks';

export interface Watched {
  /** Calls `listener` after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

/** What `read` says of the source now. */
export function useWatched<T>(source: Watched, read: () => T): T {
  const [value, setValue] = useState(read);
  useEffect(() => {
    const update = (): void => setValue(read);
    update();
    return source.subscribe(update);
  }, [source]);
  return value;
}
