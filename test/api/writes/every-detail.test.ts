/**
 * Every detail is known everywhere: where it is checked, read from a query, described, listed, asked for and shown, by
 * the service and by the programs beside it.
 */

import { expect } from 'chai';
import { DETAIL_FIELDS, DETAIL_NAMES } from '../../../src/model/fields/detail-fields.ts';
import { parseState } from '../../../src/tools/announce/sources/parse-state.ts';
import { COLUMN_NAMES, parseColumns } from '../../../src/tools/terminal/columns.ts';
import { FLAGS } from '../../../src/page/parts/flags.ts';
import { ask, expectWrongFields } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { readDocument } from '../../support/markdown.ts';
import { useService } from '../../support/use-service.ts';

/** What the page shows of one game server. */
const DETAILS = readDocument('src/page/server/said-by-server.tsx');

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: { readonly schemas: object };
}

const textOf = (value: unknown): string => encodeURIComponent(String(value));

describe('every detail', () => {
  const service = useService();

  for (const name of DETAIL_NAMES)
    describe(`such as ${name}`, () => {
      const { kind, example } = DETAIL_FIELDS[name];
      const fitsInQuery = kind !== 'addresses' && kind !== 'json' && kind !== 'latency';
      // Addresses are how a player connects, and distances are put together with those of the reader.
      const isForMachines = kind === 'addresses' || kind === 'latency';

      it('is checked in a broadcast', async () => {
        const wrong = aBroadcast({ [name]: kind === 'boolean' ? 'true' : false });
        expectWrongFields(await ask(service, 'POST /broadcast', { body: wrong }), [name]);
      });

      it('is listed as it was sent', async () => {
        const id = await service.broadcast({ [name]: example });
        const { text } = await ask(service, `GET /servers?id=${id}&include=meta`);
        const [server] = (JSON.parse(text) as { servers: Record<string, unknown>[] }).servers;
        expect(server![name]).to.deep.equal(example);
      });

      it(`is ${fitsInQuery ? 'read from' : 'refused in'} the query of a ping`, async () => {
        const id = await service.broadcast();
        const query = Object.entries({ ...aBroadcast({ server_id: id }), [name]: example });
        const call = `GET /ping?${query.map(([field, value]) => `${field}=${textOf(value)}`).join('&')}`;
        const answer = await ask(service, call.replace(/%2C/g, ','));
        if (!fitsInQuery) expectWrongFields(answer, [name]);
        else {
          expect(answer.status).to.equal(200);
          const { text } = await ask(service, `GET /servers?id=${id}`);
          const [server] = (JSON.parse(text) as { servers: Record<string, unknown>[] }).servers;
          expect(server![name]).to.deep.equal(example);
        }
      });

      it('is described for programs, in what is sent and in what is answered', async () => {
        const { text } = await ask(service, 'GET /openapi.json');
        const { paths, components } = JSON.parse(text) as Description;
        for (const path of ['/broadcast', '/ping'])
          expect(JSON.stringify(paths[path]!['post'])).to.include(`"${name}":{`);
        expect(JSON.stringify(paths['/ping']!['get']).includes(`"name":"${name}"`)).to.equal(fitsInQuery);
        expect(JSON.stringify(components.schemas)).to.include(`"${name}":{`);
      });

      it('is described for people', () => {
        expect(readDocument('docs/reference/api.md')).to.include(`\n- \`${name}\`: `);
      });

      if (isForMachines)
        it('cannot be asked for', async () => {
          const { status } = await ask(service, `GET /servers?${name}=${textOf(example)}`);
          expect(status).to.equal(400);
        });
      else
        it('can be asked for', async () => {
          const [key, value] =
            kind === 'json'
              ? [`${name}.level`, example.level]
              : [name, kind === 'texts' ? example[0] : example];
          const saying = await service.broadcast({ [name]: example });
          const silent = await service.broadcast();
          const { text } = await ask(service, `GET /servers?limit=1000&${key}=${textOf(value)}`);
          expect(text).to.include(saying).and.not.include(silent);
          const { text: others } = await ask(service, `GET /servers?limit=1000&${key}!=${textOf(value)}`);
          expect(others).to.include(silent).and.not.include(saying);
        });

      it(`is ${isForMachines ? 'refused' : 'taken'} from a game server that \`gsls announce\` keeps listed`, () => {
        const read = parseState(JSON.stringify({ [name]: example }));
        if (isForMachines) expect(read.is).to.equal('wrong');
        else expect(read).to.deep.equal({ is: 'told', state: { [name]: example } });
      });

      it('can be a column in a terminal, or a part of it is one', () => {
        if (kind === 'json') expect(parseColumns(`${name}.level`)).to.be.an('array');
        else if (!isForMachines) expect(COLUMN_NAMES).to.include(name);
      });

      it('has its type in gsls-client', () => {
        expect(readDocument('clients/typescript/src/details.d.ts')).to.include(`readonly ${name}?: `);
      });

      it('is shown on the page', () => {
        if (kind === 'boolean') expect(FLAGS).to.include(name);
        else expect(DETAILS).to.match(new RegExp(`\\b${name}\\b`));
      });
    });
});
