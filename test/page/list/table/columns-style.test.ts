/** Which columns a list of some width has, by the style that is made of their records. */

import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { CARDS_BELOW, COLUMNS } from '../../../../src/page/list/table/columns.ts';
import { columnsStyle, tableWidth } from '../../../../src/page/list/table/columns-style.ts';
import { DE } from '../../../../src/page/texts/de.ts';
import { EN } from '../../../../src/page/texts/en.ts';
import { readDocument } from '../../../support/markdown.ts';

describe('the style of the columns', () => {
  it('has room for those that are always there where a list begins to be a table', () => {
    expect(tableWidth(COLUMNS.filter(({ priority }) => priority === 0))).to.be.at.most(CARDS_BELOW);
  });

  it('takes the columns away one by one, the least important first, and makes cards at last', () => {
    const optional = COLUMNS.filter(({ priority }) => priority > 0);
    const steps = [
      ...columnsStyle(COLUMNS).matchAll(
        /\(width < ([\d.]+)rem\) \{\n\.servers \{ --columns.*\n.*> \.(\w+) \{/g,
      ),
    ];
    expect(steps.map(([, , name]) => name)).to.deep.equal(
      optional.toSorted((one, other) => other.priority - one.priority).map(({ name }) => name),
    );
    const widths = [...steps.map(([, width]) => Number(width)), CARDS_BELOW];
    expect(widths).to.deep.equal(widths.toSorted((one, other) => other - one));
  });

  it('hides those that are not to be shown at every width, and gives the others their room', () => {
    const some = COLUMNS.filter(({ name }) => ['name', 'mode'].includes(name));
    const [hidden = '', screen = ''] = columnsStyle(some).split('@media screen');
    for (const { name } of COLUMNS)
      expect(hidden.includes(`.${name} { display: none; }`), name).to.equal(!['name', 'mode'].includes(name));
    expect(screen.match(/--columns: .*/)![0]).to.equal(
      '--columns: [name] minmax(10rem, 3fr) minmax(4.5rem, 0.8fr); }',
    );
    expect(screen)
      .to.include(`(width < ${tableWidth(some)}rem)`)
      .and.to.not.include('.version');
  });

  it('gives each optional column a place of its own in the order', () => {
    const priorities = COLUMNS.map(({ priority }) => priority).filter((priority) => priority > 0);
    expect(new Set(priorities)).to.have.property('size', priorities.length);
  });

  it('makes cards at the width that all styles name', () => {
    for (const folder of ['list', 'list/table', 'shell'])
      for (const name of readdirSync(`src/page/${folder}`).filter((each) => each.endsWith('.css')))
        for (const [, wide] of readDocument(`src/page/${folder}/${name}`).matchAll(/\(width < (\d+)rem\)/g))
          if (Number(wide) > 30) expect(Number(wide), name).to.equal(CARDS_BELOW);
  });

  it('is of columns that have a name in each language', () => {
    for (const { columns } of [EN, DE])
      expect(Object.keys(columns)).to.have.members(COLUMNS.map(({ name }) => name));
  });
});
