/** How many players a server had over the last day, and how much of the last 30 days it was listed. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Answers } from '../connection/get-json.ts';
import { useAnswers } from '../connection/use-answers.ts';
import { Chart } from '../overview/chart.tsx';
import { usePage } from '../parts/page-context.ts';

type Point = Answers['ServerHistory']['points'][number];

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const CHART_PX = 120;
/** The present hour grows each ten minutes. */
const REFRESH_MS = 300_000;

/** Renders nothing for a server without a history. */
export function LastDay({ id }: { readonly id: string }): JSX.Element | null {
  const { texts, formats } = usePage();
  const { answers } = useAnswers<Answers['ServerHistory']>(
    [`servers/${encodeURIComponent(id)}/history`],
    REFRESH_MS,
  );
  const [index, setIndex] = useState<number>();
  const [history] = answers.map(([, answer]) => answer).filter((answer) => answer.id === id);
  if (history === undefined) return null;
  const hours = lastDay(history.points);
  const shown = index === undefined ? undefined : hours[index];
  const told = shown ?? hours.findLast((hour) => hour !== undefined);
  return (
    <section class="server-history">
      <h3>{texts.details.lastDay}</h3>
      {told !== undefined && hours.length > 1 && (
        <Chart
          times={hours.map(
            (_, place) =>
              (Date.parse(history.points.at(-1)!.time) - (hours.length - 1 - place) * HOUR_MS) / 1000,
          )}
          lines={[
            { values: hours.map((hour) => hour?.players ?? null), color: '--accent', isFilled: true },
            { values: hours.map((hour) => hour?.peak_players ?? null), color: '--muted', isDashed: true },
          ]}
          formats={formats}
          index={index}
          onPoint={setIndex}
          height={CHART_PX}
        />
      )}
      {told !== undefined && (
        <p class="muted">
          {texts.details.atHour(formats.time(Date.parse(told.time)), told.players, told.peak_players)}
        </p>
      )}
      {history.uptime !== null && (
        <p class="muted">{texts.details.uptime(formats.percent(history.uptime))}</p>
      )}
    </section>
  );
}

/** The hours of the last day that there were, up to the last one that is known; undefined for one without a point. */
function lastDay(points: readonly Point[]): readonly (Point | undefined)[] {
  const hours = new Map(
    points.filter(({ step }) => step === 'hour').map((point) => [Date.parse(point.time) / HOUR_MS, point]),
  );
  const last = Math.max(...hours.keys());
  const first = Math.max(Math.min(...hours.keys()), last - DAY_HOURS + 1);
  return hours.size === 0
    ? []
    : Array.from({ length: last - first + 1 }, (_, place) => hours.get(first + place));
}
