/** A view whose code is loaded when it is first shown. */

import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useTexts } from './page-context.ts';

export function lazyView(load: () => Promise<ComponentType>): () => JSX.Element {
  let loaded: ComponentType | undefined;
  return function LazyView() {
    const { loading } = useTexts();
    const [View, setView] = useState<ComponentType | undefined>(() => loaded);
    useEffect(() => {
      if (loaded !== undefined) return;
      const show = async (): Promise<void> => {
        const view = (loaded = await load());
        setView(() => view);
      };
      void show();
    }, []);
    return View === undefined ? <p role="status">{loading}</p> : <View />;
  };
}
