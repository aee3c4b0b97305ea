/**
 * Dashboards of Grafana from short descriptions of their panels: ids, places and the many fields that a panel needs.
 * Grafana 10 and later.
 */

/** A query of Prometheus, and what its curves are called. */
export type Query = readonly [expression: string, legend: string];

/** Curves over time, one number on a ground that tells whether it is good, or what was in which state when. */
export interface Chart {
  readonly kind?: 'curves' | 'stat' | 'states';
  readonly title: string;
  /** What it shows and what to think of it, for a person who looks at it for the first time. */
  readonly description: string;
  /** Of Grafana, such as `s`, `Bps` or `percentunit`. */
  readonly unit?: string;
  readonly queries: readonly Query[];
  /** The value from which it is a warning, the one from which it is bad, and the one of a number below which it is. */
  readonly orange?: number;
  readonly red?: number;
  readonly redBelow?: number;
  /** Words for the values of a number, and what it says where there is no such metric. */
  readonly words?: Readonly<Record<number, string>>;
  readonly without?: string;
  /** Whether the curves stand on each other. */
  readonly stacked?: boolean;
}

/** Markdown. */
export interface Text {
  readonly kind: 'text';
  readonly title: string;
  readonly text: string;
}

/** Panels under a title, in lines from left to right. All have one height. */
export interface Row {
  readonly title: string;
  readonly height?: number;
  /** Of a panel that says nothing else. A line is 24 wide. */
  readonly width?: number;
  readonly panels: readonly ((Chart | Text) & { readonly width?: number })[];
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
    const { width: usualWidth = 8, height = 8 } = row;
    place({ type: 'row', title: row.title, collapsed: false, panels: [] }, { x: 0, y, w: LINE_WIDTH, h: 1 });
    y += 1;
    let x = 0;
    for (const { width = usualWidth, ...panel } of row.panels) {
      if (x + width > LINE_WIDTH) [x, y] = [0, y + height];
      place(createPanel(panel), { x, y, w: width, h: height });
      x += width;
    }
    y += height;
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
        severalOf(createVariable('instance', 'Replica', `label_values(${chosenBy}{job="$job"}, instance)`)),
        severalOf(createVariable('registry', 'Registry', 'label_values({job="$job"}, registry)')),
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

/** A choice of several values, at first of all. */
function severalOf(variable: object): object {
  const all = { text: 'All', value: '$__all' };
  return { ...variable, multi: true, includeAll: true, allValue: '.*', current: all };
}

function createPanel(panel: Chart | Text): object {
  if (panel.kind === 'text')
    return { type: 'text', title: panel.title, options: { mode: 'markdown', content: panel.text } };
  const { kind = 'curves', title, description, unit = 'short', queries } = panel;
  return {
    type: { stat: 'stat', curves: 'timeseries', states: 'state-timeline' }[kind],
    title,
    description,
    datasource: DATA_SOURCE,
    targets: queries.map(([expr, legendFormat], index) => ({
      refId: String.fromCodePoint('A'.codePointAt(0)! + index),
      datasource: DATA_SOURCE,
      expr,
      legendFormat,
      ...(kind === 'stat' && { instant: true }),
    })),
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        thresholds: { mode: 'absolute', steps: stepsOf(panel) },
        ...FIELDS[kind](panel),
      },
      overrides: [],
    },
    options: OPTIONS[kind],
  };
}

function stepsOf({ orange, red, redBelow }: Chart): object[] {
  if (redBelow !== undefined)
    return [
      { color: 'red', value: null },
      { color: 'green', value: redBelow },
    ];
  const steps = [
    { color: 'green', value: null },
    { color: 'orange', value: orange },
    { color: 'red', value: red },
  ];
  return steps.filter(({ value }) => value !== undefined);
}

const FIELDS: Readonly<Record<NonNullable<Chart['kind']>, (panel: Chart) => object>> = {
  stat({ words = {}, without = 'no data' }) {
    const options = Object.fromEntries(
      Object.entries(words).map(([value, text], index) => [value, { text, index }]),
    );
    return {
      color: { mode: 'thresholds' },
      mappings: Object.keys(words).length === 0 ? [] : [{ type: 'value', options }],
      noValue: without,
    };
  },
  states: () => ({ color: { mode: 'thresholds' }, noValue: 'none' }),
  curves: ({ orange, red, stacked = false }) => ({
    color: { mode: 'palette-classic' },
    custom: {
      fillOpacity: stacked ? 30 : 5,
      showPoints: 'never',
      stacking: { mode: stacked ? 'normal' : 'none', group: 'A' },
      thresholdsStyle: { mode: (orange ?? red) === undefined ? 'off' : 'dashed' },
    },
  }),
};

const LEGEND = { displayMode: 'list', placement: 'bottom', showLegend: true };
const OPTIONS = {
  stat: {
    colorMode: 'background',
    graphMode: 'none',
    reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
  },
  states: { legend: { ...LEGEND, showLegend: false }, mergeValues: true, showValue: 'never' },
  curves: { legend: LEGEND, tooltip: { mode: 'multi', sort: 'desc' } },
};
