/** The tables of the documents against the code: options, errors, metrics, faults. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { OPTIONS } from '../../src/config/options.ts';
import { ERRORS } from '../../src/errors.ts';
import { createMetrics } from '../../src/service/metrics/create-metrics.ts';
import type { OptionDefinition } from '../../src/config/option.ts';
import { logLines } from '../support/log-lines.ts';
import { emptyRegistry } from '../support/metrics.ts';
import { anchorsOf, readDocument, tableOf } from '../support/markdown.ts';
import { readAlerts } from '../support/rules-file.ts';

describe('the documents', () => {
  it('list the options as they are', () => {
    const options = Object.values<OptionDefinition<unknown>>(OPTIONS);
    expect(tableOf(readDocument('docs/options.md'), 'options')).to.deep.equal(
      options.map(({ flag, argument, variable, description, defaultText, default: value }) => [
        argument === undefined ? flag : `${flag} ${argument}`,
        variable,
        defaultText ?? String(value),
        description,
      ]),
    );
  });

  it('list the errors as they are', () => {
    const errors = tableOf(readDocument('docs/api.md'), 'errors');
    const listed = errors.map(([status, code]) => [Number(status), code]);
    expect(listed).to.have.deep.members(Object.entries(ERRORS).map(([code, { status }]) => [status, code]));
  });

  it('list the metrics as they are', async () => {
    const text = await createMetrics({ hasRedis: true, hasDataFile: true }).render(emptyRegistry);
    const described = [...text.matchAll(/^# HELP (gsls_\S+) (.*)$/gm)].map(([, name, help]) => [name, help]);
    expect(tableOf(readDocument('docs/operate.md'), 'metrics')).to.have.deep.members(described);
  });

  it('list the lines of the log as they are, from info on', () => {
    const rows = tableOf(readDocument('docs/operate.md'), 'log lines').map(
      ([level, message]) => `${level} ${message}`,
    );
    expect(rows).to.have.members(logLines());
  });

  it('list the alerts as they are, where their runbooks say', () => {
    const document = readDocument('docs/operate.md');
    const alerts = readAlerts();
    for (const place of new Set(alerts.map(({ runbook }) => runbook))) {
      const [file, anchor] = place.split('#');
      expect(file).to.equal('docs/operate.md');
      expect(anchorsOf(document)).to.include(anchor);
      expect(tableOf(document, `alerts ${anchor}`).map(([name, severity]) => [name, severity])).to.deep.equal(
        alerts.filter(({ runbook }) => runbook === place).map(({ name, severity }) => [name, severity]),
      );
    }
  });

  it('map every room of the source', () => {
    const map = readDocument('docs/design.md').split('\n## Where things are\n')[1]!.split('\n## ')[0]!;
    const entries = readdirSync(new URL('../../src/', import.meta.url), { withFileTypes: true });
    const rooms = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `\`src/${name}/\``);
    expect(rooms.filter((room) => !map.includes(room))).to.deep.equal([]);
  });

  it('list the faults that the suite has', () => {
    const folder = new URL('../faults/', import.meta.url);
    const suite = readdirSync(folder)
      .filter((name) => name.endsWith('.fault.ts'))
      .map((name) => readFileSync(new URL(name, folder), 'utf8'))
      .join('\n');
    // A title made of parts is known by its first one.
    const titles = [...suite.matchAll(/\bit\w*\(['`](T\d+: [^'`$]+)/g)].map(([, title]) => title!.trim());
    const listed = tableOf(readDocument('docs/promises.md'), 'faults').map(([title]) => title!);
    expect(titles.filter((title) => !listed.some((each) => each.startsWith(title)))).to.deep.equal([]);
    expect(listed.filter((each) => !titles.some((title) => each.startsWith(title)))).to.deep.equal([]);
  });
});
