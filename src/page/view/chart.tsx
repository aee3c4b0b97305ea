/** A chart of values over time, drawn by uPlot in the colors of the page. Knows nothing of what the values are. */

import 'uplot/dist/uPlot.min.css';
import './chart.css';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import type { Formats } from '../texts/formats.ts';
import { timeLabels } from '../time-labels.ts';

export interface Line {
  /** Null where there is no value: the line ends, and begins again. */
  readonly values: (number | null)[];
  /** A token of the page, such as `--accent`. */
  readonly color: `--${string}`;
  readonly isDashed?: boolean;
  /** Whether the area below is tinted. */
  readonly isFilled?: boolean;
}

export interface ChartOptions {
  /** In seconds since the epoch, in order. */
  readonly times: number[];
  readonly lines: readonly Line[];
  readonly formats: Formats;
  /** The place of `times` that is marked; undefined for none. */
  readonly index: number | undefined;
  /** The pointer is at a time of the chart, or has left it. */
  readonly onPoint: (index: number | undefined) => void;
}

/** Of the axis of values: servers and players are whole. */
const WHOLE_STEPS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6].flatMap((each) => [each, 2 * each, 5 * each]);
/** The cursor follows all pointers, and so none of uPlot's own listeners. */
const WITHOUT_MOUSE = Object.fromEntries(
  ['mousedown', 'mouseup', 'click', 'dblclick', 'mousemove', 'mouseleave', 'mouseenter'].map((name) => [
    name,
    () => null,
  ]),
);

/** The room for the values before the chart, and after it, in px; as in chart.css. */
const AXIS_PX = 56;
const AFTER_PX = 16;
const HEIGHT_PX = 200;

/** Where the reader wishes for other colors, they change while the page is open. */
const COLOR_WISHES = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)'];

export function Chart({ times, lines, formats, index, onPoint }: ChartOptions): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  // What uPlot calls later is what was drawn last.
  const latest = useRef({ formats, onPoint });
  latest.current = { formats, onPoint };

  useLayoutEffect(() => {
    const element = place.current!;
    const colorOf = (token: string): string => getComputedStyle(element).getPropertyValue(token).trim();
    const axis = (): UPlot.Axis => ({
      stroke: () => colorOf('--muted'),
      grid: { stroke: () => colorOf('--line'), width: 1 },
      ticks: { stroke: () => colorOf('--line'), width: 1 },
      font: `12px ${getComputedStyle(element).fontFamily}`,
    });
    const made = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT_PX,
        padding: [8, AFTER_PX, 0, 0],
        legend: { show: false },
        cursor: { y: false, points: { size: 8 }, bind: WITHOUT_MOUSE },
        scales: {
          y: { range: (_plot, _low, high) => [0, Math.max(4, Math.ceil((high ?? 0) * 1.1))] },
        },
        axes: [
          {
            ...axis(),
            values: (_plot, at, _axis, _space, every) => timeLabels(at, every, latest.current.formats),
          },
          {
            ...axis(),
            size: AXIS_PX,
            space: 24,
            incrs: WHOLE_STEPS,
            values: (_plot, values) => values.map((value) => latest.current.formats.shortNumber(value)),
          },
        ],
        series: [
          {},
          ...lines.map(({ color, isDashed, isFilled }) => ({
            stroke: () => colorOf(color),
            width: 2,
            ...(isDashed && { dash: [4, 4], width: 1 }),
            ...(isFilled && { fill: () => withAlpha(colorOf(color)) }),
            points: { show: false },
          })),
        ],
      },
      [times, ...lines.map(({ values }) => values)],
      element,
    );
    plot.current = made;
    const point = ({ offsetX }: PointerEvent): void => latest.current.onPoint(made.posToIdx(offsetX));
    made.over.addEventListener('pointermove', point);
    made.over.addEventListener('pointerdown', point);
    made.over.addEventListener('pointerleave', () => latest.current.onPoint(undefined));

    const changed = new AbortController();
    const redraw = (): void => made.redraw(false, false);
    for (const wish of COLOR_WISHES) matchMedia(wish).addEventListener('change', redraw, changed);
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT_PX }));
    resized.observe(element);
    return () => {
      changed.abort();
      resized.disconnect();
      made.destroy();
    };
    // A plot keeps its lines for good: a chart has as many as at first, and of the same look.
  }, []);

  useEffect(() => {
    plot.current!.setData([times, ...lines.map(({ values }) => values)]);
  }, [times, ...lines.map(({ values }) => values)]);
  useEffect(() => {
    const left = index === undefined ? -1 : plot.current!.valToPos(times[index]!, 'x');
    plot.current!.setCursor({ left, top: left }, false);
  }, [index, times]);

  return <div class="chart" dir="ltr" aria-hidden ref={place} />;
}

/** `color`: as CSS has it. No color in a browser that cannot mix. */
function withAlpha(color: string): string {
  const mixed = `color-mix(in srgb, ${color} 15%, transparent)`;
  return CSS.supports('color', mixed) ? mixed : 'transparent';
}
