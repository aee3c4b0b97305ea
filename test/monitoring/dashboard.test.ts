/** deploy/grafana/gsls.json without Grafana: the form that it imports, and that the file is the present one. */

import { expect } from 'chai';
import { renderDashboard } from '../../scripts/dashboard.ts';
import { panelsOf } from '../support/dashboard-file.ts';
import { readDocument } from '../support/markdown.ts';

const LINE_WIDTH = 24;

describe('the dashboard', () => {
  const panels = panelsOf(readDocument('deploy/grafana/gsls.json'));

  it('is as scripts/dashboard.ts says: else `npm run generate -- dashboard` writes it anew', async () => {
    expect(readDocument('deploy/grafana/gsls.json')).to.equal(await renderDashboard());
  });

  it('gives each panel an id and a title of its own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length);
    expect(new Set(panels.map(({ title }) => title)).size).to.equal(panels.length);
  });

  it('explains each panel, and gives it a unit, a data source and queries', () => {
    const charts = panels.filter(({ type }) => type !== 'row' && type !== 'text');
    expect(charts.length).to.be.above(0);
    for (const { title, description, datasource, targets, fieldConfig } of charts) {
      expect(description, title).to.match(/^[A-Z].*\.$/);
      expect(fieldConfig?.defaults.unit, title).to.be.a('string');
      expect(targets?.length, title).to.be.above(0);
      for (const source of [datasource, ...targets!.map((target) => target.datasource)])
        expect(source, title).to.deep.equal({ type: 'prometheus', uid: '${datasource}' });
      const ids = targets!.map(({ refId }) => refId);
      expect(new Set(ids).size, title).to.equal(ids.length);
    }
  });

  it('has its panels side by side, and no two in one place', () => {
    const taken = new Map<string, string>();
    for (const { title, gridPos } of panels) {
      const { x, y, w, h } = gridPos;
      expect(x + w, title).to.be.at.most(LINE_WIDTH);
      for (let row = y; row < y + h; row += 1)
        for (let column = x; column < x + w; column += 1) {
          const place = `${column},${row}`;
          expect(taken.get(place), `${title} lies on`).to.equal(undefined);
          taken.set(place, title);
        }
    }
  });
});
