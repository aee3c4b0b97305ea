/** Whether the page is wide enough for the details of a server beside the list. */

import { useLayoutEffect, useState } from 'preact/hooks';

/** Of all that the page has, without its scrollbar. rem: larger type needs more room. */
const LEAST_REM = 75;

export function useRoomBeside(): boolean {
  const [hasRoom, setHasRoom] = useState(measure);
  useLayoutEffect(() => {
    const resized = new ResizeObserver(() => setHasRoom(measure()));
    resized.observe(document.getElementById('app')!);
    return () => resized.disconnect();
  }, []);
  return hasRoom;
}

function measure(): boolean {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return document.getElementById('app')!.clientWidth >= LEAST_REM * rem;
}
