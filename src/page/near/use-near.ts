/** How near servers are to the player: measured when the player asks for it, and kept in the browser for a day. */

import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { parseJson } from '../../model/json.ts';
import { NEAR } from '../../model/near.ts';
import { DEFAULT_SORT } from '../address/sort-order.ts';
import { serviceUrl } from '../connection/service-url.ts';
import { keepText, keptText } from '../parts/kept-text.ts';
import { usePage } from '../parts/page-context.ts';
import type * as NearCode from './near-code.ts';
import type { Nearness } from './nearness.ts';

/** The address of the bundle of near-code.ts, relative to the bundle of the page, which build.mjs puts here. */
declare const NEAR_CODE: string;
/** The name under which the browser keeps what was measured. */
const NAME = 'near';

export interface Near {
  /** `away`: no beacon answers. */
  readonly is: 'unknown' | 'measuring' | 'known' | 'away';
  /** Undefined until it was known once. */
  readonly nearness: Nearness | undefined;
  /** Measures, unless that is known from an earlier visit. `again`: measures in any case. */
  readonly measure: (again: boolean) => void;
}

/** Without the script of the page nothing is measured. */
export const NearContext = createContext<Near>({ is: 'away', nearness: undefined, measure: () => undefined });

export function useNear(): Near {
  return useContext(NearContext);
}

/** The state for the page as a whole, since it is shown in more than one place. */
export function useNearState(): Near {
  const { hasBeacons } = usePage().settings;
  const [is, setIs] = useState<Near['is']>(hasBeacons ? 'unknown' : 'away');
  const [nearness, setNearness] = useState<Nearness>();

  const measure = async (again: boolean): Promise<void> => {
    if (!hasBeacons || is === 'measuring') return;
    try {
      const code = (await import(NEAR_CODE)) as typeof NearCode;
      const kept = again ? undefined : code.keptNearness(parseJson(keptText(NAME) ?? ''));
      if (kept === undefined) setIs('measuring');
      const known = kept ?? (await code.measureNearness(serviceUrl('beacons')));
      keepText(NAME, JSON.stringify(known.measured));
      setNearness(known);
      setIs('known');
    } catch {
      setIs('away');
    }
  };
  return useMemo(() => ({ is, nearness, measure: (again) => void measure(again) }), [is, nearness]);
}

/**
 * The order to show: that of the address, or the one before it while it is not known how near servers are. Measures
 * once the player wants the nearest first.
 */
export function useShownSort(): string {
  const { sort } = usePage().state;
  const { nearness, measure } = useNear();
  const last = useRef(DEFAULT_SORT);
  const isWaiting = sort === NEAR && nearness === undefined;
  if (sort !== NEAR) last.current = sort;
  useEffect(() => {
    if (isWaiting) measure(false);
  }, [isWaiting]);
  return isWaiting ? last.current : sort;
}
