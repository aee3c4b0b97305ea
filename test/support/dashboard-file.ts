/** The dashboard for Grafana as the tests read it. */

export interface DashboardPanel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: object;
  readonly targets?: readonly {
    readonly refId: string;
    readonly expr: string;
    readonly legendFormat: string;
    readonly datasource: object;
  }[];
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
}

export function panelsOf(dashboard: string): DashboardPanel[] {
  return (JSON.parse(dashboard) as { readonly panels: DashboardPanel[] }).panels;
}
