/**
 * Dashboards of Grafana from short descriptions of their panels: ids, places and the many fields that a panel needs.
 * Grafana 10 and later. Knows nothing of what the panels show.
 */

/** A query of Prometheus, and what its curves are called. */
export type Query = readonly [expression: string, legend: string];

interface Described {
  readonly title: string;
  /** What it shows and what to think of it, for a person who looks at it for the first time. */
  readonly description: string;
  /** Of Grafana, such as `s`, `Bps` or `percentunit`. */
  readonly unit?: string;
  readonly queries: readonly Query[];
  /** The value from which it is a warning, and the one from which it is bad. */
  readonly orange?: number;
  readonly red?: number;
}

/** One number, on a ground that tells whether it is good. */
export interface Stat extends Described {
  readonly kind: 'stat';
  /** The value below which it is bad: instead of `red`. */
  readonly redBelow?: number;
  /** Words for values. */
  readonly words?: Readonly<Record<number, string>>;
  /** What it says where there is no such metric. */
  readonly without?: string;
}

/** Curves over time. */
export interface Curves extends Described {
  readonly kind: 'curves';
  /** Whether the curves stand on each other. */
  readonly stacked?: boolean;
}

/** What was in which state when. */
export interface States extends Described {
  readonly kind: 'states';
}

/** Markdown. */
export interface Text {
  readonly kind: 'text';
  readonly title: string;
  readonly text: string;
}

export type Panel = Stat | Curves | States | Text;

/** Panels under a title, in lines from left to right. All have one height. */
export interface Row {
  readonly title: string;
  readonly height: number;
  /** Of a panel that says nothing else. A line is 24 wide. */
  readonly width: number;
  readonly panels: readonly (Panel & { readonly width?: number })[];
}

export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  /** The metric whose labels give the choice of jobs and instances. */
  readonly chosenBy: string;
  readonly rows: readonly Row[];
}

const LINE_WIDTH = 24;
const DATA_SOURCE = { type: 'prometheus', uid: '${datasource}' };

/** The dashboard as Grafana imports it. */
export function createDashboard({ uid, title, description, chosenBy, rows }: Dashboard): object {
  const panels: object[] = [];
  const place = (panel: object, gridPos: object): void => {
    panels.push({ id: panels.length + 1, ...panel, gridPos });
  };
  let y = 0;
  for (const row of rows) {
    place({ type: 'row', title: row.title, collapsed: false, panels: [] }, { x: 0, y, w: LINE_WIDTH, h: 1 });
    y += 1;
    let x = 0;
    for (const { width = row.width, ...panel } of row.panels) {
      if (x + width > LINE_WIDTH) [x, y] = [0, y + row.height];
      place(createPanel(panel), { x, y, w: width, h: row.height });
      x += width;
    }
    y += row.height;
  }
  return {
    uid,
    title,
    description,
    tags: [uid],
    schemaVersion: 39,
    editable: true,
    // Curves of all panels show the same moment.
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
        createVariable('job', 'Job', `label_values(${chosenBy}, job)`),
        {
          ...createVariable('instance', 'Replica', `label_values(${chosenBy}{job="$job"}, instance)`),
          multi: true,
          includeAll: true,
          allValue: '.*',
          current: { text: 'All', value: '$__all' },
        },
      ],
    },
    panels,
  };
}

/** A choice among the values of a label. */
function createVariable(name: string, label: string, query: string): object {
  return {
    name,
    label,
    type: 'query',
    datasource: DATA_SOURCE,
    query: { query, refId: name },
    // Asked again when the times change.
    refresh: 2,
    sort: 1,
  };
}

function createPanel(panel: Panel): object {
  if (panel.kind === 'text')
    return { type: 'text', title: panel.title, options: { mode: 'markdown', content: panel.text } };
  const { title, description, unit, queries } = panel;
  return {
    type: { stat: 'stat', curves: 'timeseries', states: 'state-timeline' }[panel.kind],
    title,
    description,
    datasource: DATA_SOURCE,
    targets: queries.map(([expr, legendFormat], index) => ({
      refId: String.fromCodePoint('A'.codePointAt(0)! + index),
      datasource: DATA_SOURCE,
      expr,
      legendFormat,
      ...(panel.kind === 'stat' && { instant: true }),
    })),
    fieldConfig: {
      defaults: { unit: unit ?? 'short', min: 0, thresholds: thresholdsOf(panel), ...fieldsOf(panel) },
      overrides: [],
    },
    options: optionsOf(panel),
  };
}

function thresholdsOf(panel: Stat | Curves | States): object {
  const { orange, red } = panel;
  const isLow = panel.kind === 'stat' && panel.redBelow !== undefined;
  const steps = isLow
    ? [
        { color: 'red', value: null },
        { color: 'green', value: panel.redBelow },
      ]
    : [
        { color: 'green', value: null },
        ...(orange === undefined ? [] : [{ color: 'orange', value: orange }]),
        ...(red === undefined ? [] : [{ color: 'red', value: red }]),
      ];
  return { mode: 'absolute', steps };
}

function fieldsOf(panel: Stat | Curves | States): object {
  if (panel.kind === 'stat') {
    const words = Object.entries(panel.words ?? {}).map(([value, text], index) => [value, { text, index }]);
    return {
      color: { mode: 'thresholds' },
      mappings: words.length === 0 ? [] : [{ type: 'value', options: Object.fromEntries(words) as object }],
      noValue: panel.without ?? 'no data',
    };
  }
  if (panel.kind === 'states') return { color: { mode: 'thresholds' }, noValue: 'none' };
  const hasLimit = panel.orange !== undefined || panel.red !== undefined;
  return {
    color: { mode: 'palette-classic' },
    custom: {
      fillOpacity: panel.stacked ? 30 : 5,
      showPoints: 'never',
      stacking: { mode: panel.stacked ? 'normal' : 'none', group: 'A' },
      thresholdsStyle: { mode: hasLimit ? 'dashed' : 'off' },
    },
  };
}

function optionsOf({ kind }: Stat | Curves | States): object {
  if (kind === 'stat')
    return {
      colorMode: 'background',
      graphMode: 'none',
      reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
    };
  const legend = { displayMode: 'list', placement: 'bottom', showLegend: true };
  if (kind === 'states')
    return { legend: { ...legend, showLegend: false }, mergeValues: true, showValue: 'never' };
  return { legend, tooltip: { mode: 'multi', sort: 'desc' } };
}
