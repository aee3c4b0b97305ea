/** Renders a component again when a source outside of the components changes. */

import { useEffect, useState } from 'preact/hooks';

export interface Watched {
  /** Calls `listener` after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

/** The present result of `read`, updated when the source changes. */
export function useWatched<T>(source: Watched, read: () => T): T {
  const [value, setValue] = useState(read);
  useEffect(() => {
    const update = (): void => setValue(read);
    update();
    return source.subscribe(update);
  }, [source]);
  return value;
}
