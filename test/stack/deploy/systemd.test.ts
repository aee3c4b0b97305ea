/** deploy/systemd/gsls.service, held to the options and times of GSLS, and judged by systemd where it is installed. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { OptionDefinition } from '../../../src/service/config/option.ts';
import { OPTIONS } from '../../../src/service/config/options.ts';
import { DRAIN_DELAY_WITH_REDIS_S } from '../../../src/service/config/service-options.ts';
import { CLOSING_LIMIT_MS } from '../../../src/service/service.ts';
import { readDocument } from '../../support/markdown.ts';
import { needs } from '../../support/needs.ts';
import { replaceEach } from '../../support/replace-each.ts';
import { useDirectory } from '../../support/use-directory.ts';

const UNIT = 'deploy/systemd/gsls.service';
/** "Exposure" from 0 to 10. A file of ours that loses its hardening is far above. */
const LARGEST_EXPOSURE = 1.5;

describe('the unit for systemd', () => {
  const text = readFileSync(UNIT, 'utf8');
  const settings = new Map([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));

  it('gives GSLS the time that it takes to stop', () => {
    const longestStopS = DRAIN_DELAY_WITH_REDIS_S + CLOSING_LIMIT_MS / 1000;
    expect(Number(settings.get('TimeoutStopSec'))).to.be.at.least(longestStopS + 5);
  });

  it('starts GSLS again, but not with a wrong option', () => {
    expect(settings.get('Restart')).to.equal('on-failure');
    expect(settings.get('RestartPreventExitStatus')).to.equal('2');
  });

  it('names variables that GSLS has', () => {
    const known = Object.values<OptionDefinition<unknown>>(OPTIONS).map(({ variable }) => variable);
    const named = text.match(/GSLS_\w+/g)!;
    expect(named.filter((variable) => !known.includes(variable))).to.deep.equal([]);
  });

  needs('systemd-analyze').describe('is judged by systemd:', () => {
    const newPath = useDirectory();

    it('nothing in it is unknown', () => {
      const folder = newPath();
      mkdirSync(folder);
      const file = join(folder, 'gsls.service');
      // It is installed here under no name.
      const installed = `ExecStart=${process.execPath} dist/cli.js`;
      writeFileSync(file, replaceEach(text, [['ExecStart=gsls', installed]]));
      const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
        encoding: 'utf8',
      });
      expect({ status, stdout, stderr }).to.deep.equal({ status: 0, stdout: '', stderr: '' });
    });

    it('its exposure is small, and as the document says', () => {
      const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', UNIT], {
        encoding: 'utf8',
      });
      const [, exposure] = /exposure level for gsls\.service: ([\d.]+)/.exec(stdout)!;
      expect(Number(exposure)).to.be.at.most(LARGEST_EXPOSURE);
      expect(readDocument('docs/deploy.md')).to.include(`an exposure of ${exposure}`);
    });
  });
});
