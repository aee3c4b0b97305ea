/**
 * Each alert of deploy/prometheus/alerts.yml fires when it should and not before, by promtool and its own clock. All
 * are tried in one run of promtool, to which each test adds what it looks at.
 */

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { needs } from '../../support/needs.ts';
import { readAlerts, RULES_FILE } from '../../support/rules-file.ts';
import { useDirectory } from '../../support/use-directory.ts';

/** Metrics by name and labels, with two values a minute: `1x9` is ten times 1, `0+2x9` counts from 0 to 18. */
type Series = Readonly<Record<string, string>>;

interface AlertCase {
  readonly alert: string;
  /** With these it fires so many minutes after the first value, and not half a minute earlier. */
  readonly fires: Series;
  readonly afterMinutes: number;
  /** With these, which are just below, it never does. */
  readonly quiet: Series;
}

/** Begins a comment in a query, the title of the test; promtool repeats it when the query gives something else. */
const MARK = '# ';

/** The labels of two replicas, and of the metrics of a registry. */
const A = 'instance="a:53600", job="gsls"';
const B = 'instance="b:53600", job="gsls"';

const UP: Series = { [`up{${A}}`]: '1x300', [`up{${B}}`]: '1x300' };
const REQUESTS = `gsls_http_request_duration_seconds_count{route="/broadcast", method="POST"`;

const PINGS = `gsls_http_request_duration_seconds_bucket{route="/ping", method="POST", status="200", ${A}`;
const WRITES = `gsls_writes_total{operation="ping", ${A}`;

/** 1000 pings within half a minute, of which so many take longer than 0.5 s. */
function pings(slow: number): Series {
  return {
    [`${PINGS}, le="0.25"}`]: `0+${1000 - slow}x300`,
    [`${PINGS}, le="0.5"}`]: `0+${1000 - slow}x300`,
    [`${PINGS}, le="1"}`]: '0+1000x300',
    [`${PINGS}, le="+Inf"}`]: '0+1000x300',
  };
}

/** Pings within half a minute: taken, and refused for a ban. */
function writes(success: number, refused: number): Series {
  return {
    [`${WRITES}, outcome="success", code="none"}`]: `0+${success}x300`,
    [`${WRITES}, outcome="refused", code="banned"}`]: `0+${refused}x300`,
    [`${WRITES}, outcome="refused", code="unknown_server"}`]: '0x300',
  };
}

const CASES: readonly AlertCase[] = [
  {
    alert: 'GslsNoReplica',
    fires: { [`up{${A}}`]: '0x300', [`up{${B}}`]: '0x300' },
    afterMinutes: 1,
    quiet: { [`up{${A}}`]: '1x300', [`up{${B}}`]: '1 0 1x300' },
  },
  {
    alert: 'GslsReplicaDown',
    fires: { [`up{${B}}`]: '0x300' },
    afterMinutes: 5,
    quiet: { [`up{${B}}`]: '0x9 1 0x9 1x300' },
  },
  {
    alert: 'GslsReplicaRestarts',
    fires: { [`process_start_time_seconds{${A}}`]: '1 1 5 5 9 9 14x300' },
    afterMinutes: 3,
    quiet: { [`process_start_time_seconds{${A}}`]: '1 1 5 5 9x300' },
  },
  {
    alert: 'GslsWorkersDie',
    fires: { [`gsls_worker_deaths_total{${A}}`]: '0 0 1 2 3x300' },
    afterMinutes: 2,
    quiet: { [`gsls_worker_deaths_total{${A}}`]: '0 0 1 2x300' },
  },
  {
    alert: 'GslsRequestsFail',
    fires: {
      [`${REQUESTS}, status="200", ${A}}`]: '0+94x300',
      [`${REQUESTS}, status="503", ${B}}`]: '0+6x300',
    },
    afterMinutes: 5.5,
    quiet: {
      [`${REQUESTS}, status="200", ${A}}`]: '0+95x300',
      [`${REQUESTS}, status="503", ${B}}`]: '0+5x300',
    },
  },
  {
    alert: 'GslsInternalError',
    fires: { [`gsls_refused_total{code="internal_error", ${A}}`]: '0 0 1x300' },
    afterMinutes: 1,
    quiet: {
      [`gsls_refused_total{code="internal_error", ${A}}`]: '1x300',
      [`gsls_refused_total{code="not_found", ${A}}`]: '0+9x300',
    },
  },
  {
    alert: 'GslsRegistryUnavailable',
    fires: { [`gsls_registry_available{${A}}`]: '0x300', [`gsls_registry_available{${B}}`]: '1x300' },
    afterMinutes: 1,
    quiet: { [`gsls_registry_available{${A}}`]: '0 0 1x300', [`gsls_registry_available{${B}}`]: '1x300' },
  },
  {
    alert: 'GslsRegistryNotWritable',
    fires: {
      [`gsls_registry_writable{${A}}`]: '0x300',
      [`gsls_registry_writable{${B}}`]: '1x300',
      [`gsls_registry_available{${A}}`]: '1x300',
      [`gsls_registry_available{${B}}`]: '1x300',
    },
    afterMinutes: 0.5,
    quiet: {
      // It has refused one write, and Redis does not answer the other.
      [`gsls_registry_writable{${A}}`]: '0 1x300',
      [`gsls_registry_writable{${B}}`]: '0 0 1x300',
      [`gsls_registry_available{${A}}`]: '1x300',
      [`gsls_registry_available{${B}}`]: '0 0 1x300',
    },
  },
  {
    alert: 'GslsRegistryFlaps',
    fires: { [`gsls_registry_available{${A}}`]: '1 0 1 0 1 0 1x300' },
    afterMinutes: 2.5,
    quiet: { [`gsls_registry_available{${A}}`]: '1 0 1 0 1x300' },
  },
  {
    alert: 'GslsRedisErrors',
    fires: { [`gsls_redis_errors_total{kind="timeout", ${A}}`]: '0+1x300' },
    afterMinutes: 5.5,
    quiet: { [`gsls_redis_errors_total{kind="timeout", ${A}}`]: '0+1x7 7x300' },
  },
  {
    alert: 'GslsListStale',
    fires: { [`gsls_list_stale_seconds{${A}}`]: '6+30x300' },
    afterMinutes: 1,
    quiet: { [`gsls_list_stale_seconds{${A}}`]: '5x300' },
  },
  {
    alert: 'GslsOriginAway',
    fires: { [`gsls_origin_current{origin="eu", ${A}}`]: '0x300' },
    afterMinutes: 2,
    quiet: { [`gsls_origin_current{origin="eu", ${A}}`]: '0 0 0 1 0 0 0 1x300' },
  },
  {
    alert: 'GslsClockDiffers',
    fires: { [`gsls_clock_offset_seconds{${A}}`]: '-6x300' },
    afterMinutes: 5,
    quiet: {
      [`gsls_clock_offset_seconds{${A}}`]: '-5x300',
      [`gsls_clock_offset_seconds{${B}}`]: '0 6 0x300',
    },
  },
  {
    alert: 'GslsRegistryReloaded',
    fires: { [`gsls_reloads_total{reason="epoch", ${A}}`]: '0 0 1x300' },
    afterMinutes: 1,
    quiet: {
      [`gsls_reloads_total{reason="epoch", ${A}}`]: '1x300',
      [`gsls_reloads_total{reason="reset", ${A}}`]: '0+1x300',
    },
  },
  {
    alert: 'GslsGameServersRestored',
    fires: { [`gsls_restored_total{${A}}`]: '0 0 1x300' },
    afterMinutes: 1,
    quiet: { [`gsls_restored_total{${A}}`]: '1x300' },
  },
  {
    alert: 'GslsDataFileNotWritable',
    fires: { [`gsls_data_file_writable{${A}}`]: '0x300' },
    afterMinutes: 1,
    quiet: { [`gsls_data_file_writable{${A}}`]: '0 0 1x300' },
  },
  {
    alert: 'GslsMassExpiryHeld',
    fires: {
      [`gsls_mass_silence_game_servers{${A}}`]: '51x300',
      [`gsls_mass_silence_game_servers{${B}}`]: '0x300',
    },
    afterMinutes: 1,
    quiet: { [`gsls_mass_silence_game_servers{${A}}`]: '51 51 0x300' },
  },
  {
    alert: 'GslsGameServersFell',
    fires: { [`gsls_game_servers{${A}}`]: '100 49x300' },
    afterMinutes: 5.5,
    quiet: { [`gsls_game_servers{${A}}`]: '100 50x300' },
  },
  {
    alert: 'GslsListsDiffer',
    fires: {
      [`gsls_game_servers{${A}}`]: '1000x300',
      [`gsls_game_servers{${B}}`]: '978x300',
      [`gsls_registry_available{${A}}`]: '1x300',
      [`gsls_registry_available{${B}}`]: '1x300',
    },
    afterMinutes: 5,
    quiet: {
      [`gsls_game_servers{${A}}`]: '1000x300',
      [`gsls_game_servers{${B}}`]: '979x300',
      [`gsls_registry_available{${A}}`]: '1x300',
      [`gsls_registry_available{${B}}`]: '1x300',
    },
  },
  {
    alert: 'GslsNearlyFull',
    fires: { [`gsls_game_servers{${A}}`]: '91x300', [`gsls_max_game_servers{${A}}`]: '100x300' },
    afterMinutes: 10,
    quiet: { [`gsls_game_servers{${A}}`]: '90x300', [`gsls_max_game_servers{${A}}`]: '100x300' },
  },
  {
    alert: 'GslsWritesRefused',
    fires: writes(780, 220),
    afterMinutes: 10.5,
    quiet: writes(800, 200),
  },
  {
    alert: 'GslsLoadShedding',
    fires: { [`gsls_refused_total{code="overloaded", ${A}}`]: '0+1x300' },
    afterMinutes: 5.5,
    quiet: { [`gsls_refused_total{code="overloaded", ${A}}`]: '0+1x7 7x300' },
  },
  {
    alert: 'GslsEventLoopLate',
    fires: { [`gsls_event_loop_delay_seconds{${A}}`]: '0.21x300' },
    afterMinutes: 5,
    quiet: { [`gsls_event_loop_delay_seconds{${A}}`]: '0.2x300' },
  },
  { alert: 'GslsSlowPings', fires: pings(11), afterMinutes: 10.5, quiet: pings(9) },
  {
    alert: 'GslsLogLinesDropped',
    fires: { [`gsls_log_lines_dropped_total{${A}}`]: '0 0 1x300' },
    afterMinutes: 1,
    quiet: { [`gsls_log_lines_dropped_total{${A}}`]: '1x300' },
  },
];

/** What services show that need no alert. */
const HEALTHY: Readonly<Record<string, Series>> = {
  'a service in memory without game servers and requests': {
    [`up{${A}}`]: '1x300',
    [`process_start_time_seconds{${A}}`]: '1000x300',
    [`gsls_game_servers{${A}}`]: '0x300',
    [`gsls_max_game_servers{${A}}`]: '0x300',
    [`gsls_registry_available{${A}}`]: '1x300',
    [`gsls_list_stale_seconds{${A}}`]: '0x300',
    [`gsls_mass_silence_game_servers{${A}}`]: '0x300',
    [`${REQUESTS}, status="200", ${A}}`]: '0x300',
    [`gsls_writes_total{operation="ping", outcome="refused", code="banned", ${A}}`]: '0x300',
  },
  'a service in memory that is stopped and started, and whose game servers broadcast anew': {
    [`up{${A}}`]: '1x20 0 1x300',
    [`process_start_time_seconds{${A}}`]: '1000x20 _ 1600x300',
    [`gsls_game_servers{${A}}`]: '200x20 _ 0 100 200x300',
    [`gsls_registry_available{${A}}`]: '1x20 _ 1x300',
    [`gsls_writes_total{operation="ping", outcome="success", code="none", ${A}}`]: '0+100x20 _ 0 0+100x300',
    [`gsls_writes_total{operation="ping", outcome="refused", code="unknown_server", ${A}}`]:
      '0x20 _ 0 100 200x300',
    [`${REQUESTS}, status="200", ${A}}`]: '0+100x20 _ 0+100x300',
  },
  'a rolling restart of two replicas, one of which Redis refuses for a moment': {
    [`up{${A}}`]: '1x10 0 1x300',
    [`up{${B}}`]: '1x14 0 1x300',
    [`process_start_time_seconds{${A}}`]: '1000x10 _ 1300x300',
    [`process_start_time_seconds{${B}}`]: '1000x14 _ 1420x300',
    [`gsls_game_servers{${A}}`]: '1000x10 _ 0 1005x300',
    [`gsls_game_servers{${B}}`]: '998x14 _ 0 1003x300',
    [`gsls_registry_available{${A}}`]: '1x10 _ 0 1x300',
    [`gsls_registry_available{${B}}`]: '1x14 _ 1x300',
    [`gsls_http_request_duration_seconds_count{route="/health", method="GET", status="503", ${A}}`]:
      '0x8 3 6 _ 0x300',
    [`${REQUESTS}, status="200", ${A}}`]: '0+100x10 _ 0+100x300',
  },
};

/** At each of so many minutes. */
const NOTHING_FIRES = Array.from({ length: 40 }, (_, minute) => expectFiring(minute, []));

needs('promtool').describe('the alerts', function () {
  this.timeout(120_000);
  const newPath = useDirectory();
  /** By the time between two evaluations. */
  const tried = new Map<string, object[]>();
  let said: string;

  before('promtool tries all of them', () => {
    const files = [...tried].map(([interval, tests]) => {
      const file = newPath();
      // JSON is YAML.
      writeFileSync(file, JSON.stringify({ rule_files: [RULES_FILE], evaluation_interval: interval, tests }));
      return file;
    });
    said = promtool('test', 'rules', ...files);
    if (!said.includes('SUCCESS') && !said.includes(`expr: "${MARK}`)) throw new Error(said);
  });

  /** A test with what promtool tries for it. */
  function itIsSo(
    title: string,
    tests: readonly (readonly [Series, readonly Look[]])[],
    interval = '30s',
  ): void {
    const all = tests.map(([series, looks]) => createTest(title, series, looks));
    tried.set(interval, [...(tried.get(interval) ?? []), ...all]);
    it(title, () => {
      const [, ...failures] = said.split(`expr: "${MARK}`);
      expect(failures.filter((failure) => failure.startsWith(`${title}\\n`))).to.deep.equal([]);
    });
  }

  it('are rules that promtool accepts', () => {
    expect(promtool('check', 'rules', RULES_FILE)).to.include('SUCCESS');
  });

  it('are each tested here', () => {
    expect(CASES.map(({ alert }) => alert)).to.have.members(readAlerts().map(({ name }) => name));
  });

  for (const { alert, fires, afterMinutes, quiet } of CASES) {
    const { labels } = readAlerts().find(({ name }) => name === alert)!;
    const looks = [
      expectFiring(afterMinutes - 0.5, []),
      expectFiring(afterMinutes, [alert]),
      // Its annotations name labels that it has.
      expectFiring(afterMinutes, [alert], `alertname="${alert}"`, ...labels.map((label) => `${label}!=""`)),
    ];
    itIsSo(`${alert} fires after ${afterMinutes} minutes, and not with a little less`, [
      [{ ...UP, ...fires }, looks],
      [{ ...UP, ...quiet }, NOTHING_FIRES],
    ]);
  }

  for (const [what, series] of Object.entries(HEALTHY))
    itIsSo(`none fires for ${what}`, [[series, NOTHING_FIRES]]);

  // Every minute will do: that they fire in time is shown above.
  itIsSo(
    'all end with their reason',
    CASES.map(({ fires }) => {
      const ended = Object.entries(fires).map(([name, values]) => [
        name,
        values.replace(/x300$/, name.startsWith('up{') ? 'x24 1x300' : 'x24 stale'),
      ]);
      return [{ ...UP, ...Object.fromEntries(ended) }, [expectFiring(12 + 45, [])]];
    }),
    '1m',
  );
});

interface Look {
  readonly expr: string;
  readonly eval_time: string;
  readonly exp_samples: readonly object[];
}

/** The rules are fed with the series, and each look has to see what it expects. */
function createTest(title: string, series: Series, looks: readonly Look[]): object {
  const input = Object.entries(series).map(([name, values]) => ({ series: name, values }));
  const marked = looks.map((look) => ({ ...look, expr: `${MARK}${title}\n${look.expr}` }));
  return { interval: '30s', input_series: input, promql_expr_test: marked };
}

/** A look at what fires; the matchers narrow it. */
function expectFiring(minute: number, alerts: readonly string[], ...matchers: readonly string[]): Look {
  return {
    expr: `group by (alertname) (ALERTS{${['alertstate="firing"', ...matchers].join(', ')}})`,
    eval_time: `${minute * 60}s`,
    exp_samples: alerts.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
  };
}

/** What it printed. */
function promtool(...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  return stdout + stderr;
}
