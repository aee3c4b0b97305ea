/**
 * A chart of values over time, as SVG in the colors of the page.
 *
 * A library such as uPlot would take 23 kB of the 60 kB that the page may have.
 */

import './chart.css';
import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { pathsOf, timeMarks, valueMarks, timeLabels, type Scale } from './chart-scales.ts';
import type { Formats } from '../texts/formats.ts';

export interface Line {
  /** A null means that there is no value: the line ends there, and begins again. */
  readonly values: readonly (number | null)[];
  /** A token of the page's style, such as `--accent`. */
  readonly color: `--${string}`;
  readonly isDashed?: boolean;
  /** Whether the area below the line is tinted. */
  readonly isFilled?: boolean;
}

export interface ChartOptions {
  /** The times in seconds since the epoch, in order, at equal distances. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly formats: Formats;
  /** The index in `times` that is marked; undefined for none. */
  readonly index: number | undefined;
  /** Called when the pointer is at a time of the chart, or has left the chart. */
  readonly onPoint: (index: number | undefined) => void;
  /** In px. */
  readonly height: number;
}

/** The room around the area of the lines, in px. */
const ROOM = { before: 48, after: 12, above: 8, below: 28 };
/** The width of a label on the time axis, in px. */
const LABEL_PX = 90;

export function Chart({ times, lines, formats, index, onPoint, height }: ChartOptions): JSX.Element {
  const bottom = height - ROOM.below;
  const { ref, width } = useWidth();
  const right = Math.max(ROOM.before + 1, width - ROOM.after);
  const high = Math.max(0, ...lines.flatMap(({ values }) => values.map(Number)));
  const { top, marks: values } = valueMarks(high);
  const last = Math.max(1, times.length - 1);
  const x: Scale = (place) => ROOM.before + (place / last) * (right - ROOM.before);
  const y: Scale = (value) => bottom - (value / top) * (bottom - ROOM.above);
  const [start = 0, end = start] = [times[0], times.at(-1)];
  const { marks, everySeconds } = timeMarks(start, end, (right - ROOM.before) / LABEL_PX);
  const labels = timeLabels(marks, everySeconds, formats);
  const placeOf = (time: number): number => ((time - start) / Math.max(1, end - start)) * last;

  const point = ({ offsetX }: PointerEvent): void => {
    const place = Math.round(((offsetX - ROOM.before) / (right - ROOM.before)) * last);
    onPoint(Math.min(Math.max(place, 0), times.length - 1));
  };
  return (
    <div class="chart" dir="ltr" aria-hidden ref={ref}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => onPoint(undefined)}
      >
        {values.map((value) => (
          <g key={value}>
            <path class="chart-grid" d={`M${ROOM.before},${y(value)}H${right}`} />
            <text x={ROOM.before - 8} y={y(value) + 4} text-anchor="end">
              {formats.shortNumber(value)}
            </text>
          </g>
        ))}
        {marks.map((time, place) => (
          <text key={time} x={x(placeOf(time))} y={height - 8} text-anchor="middle">
            {labels[place]}
          </text>
        ))}
        {lines.map((line) => (
          <Drawn
            key={line.color}
            line={line}
            x={x}
            y={y}
            bottom={bottom}
            columns={Math.floor(right - ROOM.before)}
          />
        ))}
        {index !== undefined && <path class="chart-cursor" d={`M${x(index)},${ROOM.above}V${bottom}`} />}
      </svg>
    </div>
  );
}

interface DrawnOptions {
  readonly line: Line;
  readonly x: Scale;
  readonly y: Scale;
  /** The lower end of the area, in px. */
  readonly bottom: number;
  /** How many different x positions points have, in px. */
  readonly columns: number;
}

function Drawn({
  line: { values, color, isDashed, isFilled },
  x,
  y,
  bottom,
  columns,
}: DrawnOptions): JSX.Element {
  const { line, area } = useMemo(() => pathsOf(values, { x, y, bottom, columns }), [values, columns, y(1)]);
  return (
    <g style={{ stroke: `var(${color})`, fill: `var(${color})` }}>
      {isFilled && <path class="chart-area" d={area} />}
      <path class={isDashed ? 'chart-line is-dashed' : 'chart-line'} d={line} />
    </g>
  );
}

/** The present width of an element, in px. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current!;
    const measure = (): void => setWidth(element.clientWidth);
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => resized.disconnect();
  }, []);
  return { ref, width };
}
