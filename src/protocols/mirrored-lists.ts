/**
 * The lists of other protocols in a mirror: those of its origins, joined. The documents of native entries are in these
 * lists alone, so the mirror fetches them, and believes no more of them than their protocol could have written.
 */

import { Call } from '../../clients/typescript/src/call.ts';
import { systemEnvironment } from '../../clients/typescript/src/environment.ts';
import { parseMembers } from '../../clients/typescript/src/feed/changes-answer.ts';
import type { NamedOrigin } from '../registry/mirror/mirror-registry.ts';
import { createBodyAnswers } from '../api/http/body-answers.ts';
import type { Context, Room } from '../api/http/context.ts';
import { STALE_MARK } from '../api/http/current-list.ts';
import type { Endpoint } from '../api/http/route.ts';
import type { ListedNatively, NativeForm } from './native-form.ts';
import { Body } from '../api/work/body.ts';
import { OWN } from '../api/work/work.ts';
import { systemClock } from '../registry/registry.ts';
import { httpFetch } from '../runtime/http-fetch.ts';

const FORMS: Readonly<Record<string, () => Promise<NativeForm>>> = {
  ddnet: async () => (await import('./ddnet/servers-json.ts')).DDNET_FORM,
  luanti: async () => (await import('./luanti/luanti-form.ts')).LUANTI_FORM,
};

/** How often each origin is asked. */
const INTERVAL_MS = 5000;
const TIMEOUT_MS = 5000;

export interface MirroredListsContext extends Pick<Context, 'registry' | 'currentList' | 'turns'> {
  readonly origins: readonly NamedOrigin[];
  readonly protocols: readonly string[];
  /** Defaults to INTERVAL_MS. */
  readonly intervalMs?: number;
  readonly closeLater: (closer: () => Promise<void>) => void;
}

export async function openMirroredLists(context: MirroredListsContext): Promise<Room> {
  const { protocols, intervalMs = INTERVAL_MS, closeLater } = context;
  const forms = await Promise.all(protocols.map((name) => FORMS[name]!()));
  return {
    routes: forms.map((form) => {
      const list = new JoinedList(form, context);
      void list.look();
      const stop = systemClock.every(intervalMs, () => list.look());
      closeLater(async () => stop());
      const endpoint = createEndpoint(context, list);
      return {
        method: 'GET',
        path: form.path,
        endpoint: form.finish?.(endpoint) ?? endpoint,
        access: 'open',
        kind: 'list',
        input: form.path === '/luanti/list' ? 'query' : 'nothing',
        cors: 'reading',
      };
    }),
  };
}

function createEndpoint({ currentList, turns }: MirroredListsContext, list: JoinedList): Endpoint {
  const answerCurrent = createBodyAnswers(currentList, turns, { asker: OWN });
  const answerStale = createBodyAnswers(currentList, turns, { asker: OWN, mark: STALE_MARK });
  return (request) =>
    currentList.answer((_, isStale) => (isStale ? answerStale : answerCurrent)(list.body, request));
}

/** What one origin has told last. */
interface Told {
  readonly etag: string | undefined;
  readonly entries: readonly ListedNatively[];
}

class JoinedList {
  body: Body;
  readonly #form: NativeForm;
  readonly #context: MirroredListsContext;
  readonly #told = new Map<string, Told>();

  constructor(form: NativeForm, context: MirroredListsContext) {
    this.#form = form;
    this.#context = context;
    this.body = this.#make();
  }

  /** Asks all origins. One that does not answer keeps its entries for as long as the mirror keeps its others. */
  async look(): Promise<void> {
    const { origins, registry } = this.#context;
    const before = [...this.#told.values()];
    await Promise.all(origins.map((origin) => this.#ask(origin).catch(() => undefined)));
    for (const { name, state } of registry.origins?.() ?? [])
      if (state === 'given_up') this.#told.delete(name);
    const now = [...this.#told.values()];
    if (now.length !== before.length || now.some((told, at) => told !== before[at])) this.body = this.#make();
  }

  async #ask({ name, url, key }: NamedOrigin): Promise<void> {
    const call = new Call({ ...systemEnvironment, fetch: httpFetch });
    const etag = this.#told.get(name)?.etag;
    try {
      call.allowSilence(TIMEOUT_MS);
      const response = await call.open(`${url}${this.#form.path}`, {
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
        ...(etag !== undefined && { 'If-None-Match': etag }),
      });
      if (response.status === 304) return;
      const text = await call.readAll(response, () => call.allowSilence(TIMEOUT_MS));
      const listed = parseMembers(text)[this.#form.member];
      if (!Array.isArray(listed)) return;
      const entries = listed.flatMap((each) => this.#form.read(each) ?? []);
      this.#told.set(name, { etag: response.headers.get('ETag') ?? undefined, entries });
    } finally {
      call.end();
    }
  }

  #make(): Body {
    const seen = new Set<string>();
    const entries = this.#context.origins
      .flatMap(({ name }) => this.#told.get(name)?.entries ?? [])
      .filter(({ addresses }) => {
        const isNew = !addresses.some((each) => seen.has(each));
        for (const each of addresses) seen.add(each);
        return isNew;
      });
    const [before, behind] = this.#form.frame(entries);
    return new Body(Buffer.from(`${before}${entries.map(({ text }) => text).join(',')}${behind}`));
  }
}
