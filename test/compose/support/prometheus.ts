/** The Prometheus of the stack, asked over its HTTP API. */

/** What it scrapes. */
export interface Target {
  readonly job: string;
  /** Address and port. */
  readonly instance: string;
  readonly isUp: boolean;
}

export class Prometheus {
  readonly #url: string;

  /** `port`: of this machine. */
  constructor(port: number) {
    this.#url = `http://127.0.0.1:${port}/api/v1`;
  }

  /** What it scrapes now; each is up when the last scrape succeeded. */
  async targets(): Promise<Target[]> {
    const { activeTargets } = await this.#get<{
      activeTargets: { labels: { job: string; instance: string }; health: string }[];
    }>('/targets?state=active');
    return activeTargets.map(({ labels, health }) => ({ ...labels, isUp: health === 'up' }));
  }

  /** The names of the alerts that it watches for. */
  async alerts(): Promise<string[]> {
    const { groups } = await this.#get<{ groups: { rules: { name: string }[] }[] }>('/rules?type=alert');
    return groups.flatMap(({ rules }) => rules.map(({ name }) => name));
  }

  /** The labels of each series of this query. */
  async query(query: string): Promise<Record<string, string>[]> {
    const { result } = await this.#get<{ result: { metric: Record<string, string> }[] }>(
      `/query?query=${encodeURIComponent(query)}`,
    );
    return result.map(({ metric }) => metric);
  }

  async #get<Data>(path: string): Promise<Data> {
    const response = await fetch(this.#url + path);
    const { status, data, error } = (await response.json()) as {
      status: string;
      data: Data;
      error?: string;
    };
    if (status !== 'success') throw new Error(`Prometheus refuses ${path}: ${error}`);
    return data;
  }
}
