/** The desk: a moderator signs in, and then sees entries, reports and decisions, and decides. */

import '../shell/app.css';
import './desk.css';
import './desk-table.css';
import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { decodeText } from '../address/page-url.ts';
import { IconSprite } from '../parts/icon.tsx';
import { PageContext, usePage, type PageContextValue } from '../parts/page-context.ts';
import { DESK_LANGUAGES } from '../texts/desk-texts.ts';
import { createFormats, localeOf } from '../texts/formats.ts';
import { chooseLanguage, LANGUAGES } from '../texts/languages.ts';
import { AuditList, BansList, LabelsList, ReportsList } from './decision-lists.tsx';
import { DeskApi, isRefusedKey, problemOf, type Schemas, type Signed } from './desk-api.ts';
import {
  DeskContext,
  INTERVAL_MS,
  TABS,
  type DeskContextValue,
  type RuleDraft,
  type Tab,
} from './desk-context.ts';
import { EntriesTable } from './entries-table.tsx';
import { EntrySheet } from './entry-sheet.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { keepSigned, keptSigned, SignIn } from './sign-in.tsx';

/** What the address of the desk asks for. */
interface DeskState {
  readonly tab: Tab;
  readonly query: string;
  readonly id: string | undefined;
}

function stateIn(hash: string): DeskState {
  const [name = '', query = ''] = hash.slice(1).split('?', 2);
  const [tab = '', id = ''] = name.split('/', 2);
  return {
    tab: TABS.find((each) => each === tab) ?? 'servers',
    query,
    id: id === '' ? undefined : decodeText(id),
  };
}

function hashOf({ tab, query, id }: DeskState): string {
  return `#${tab}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${query === '' ? '' : `?${query}`}`;
}

export interface DeskProps {
  /** The address of the service, which ends in a slash. */
  readonly root: string;
  /** Whether a proxy may sign people in. */
  readonly isProxied: boolean;
}

export function Desk({ root, isProxied }: DeskProps): JSX.Element {
  const language = chooseLanguage(navigator.languages);
  const texts = DESK_LANGUAGES.get(language)!;
  const formats = useMemo(() => createFormats(localeOf(language, navigator.languages)), [language]);
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = texts.title;
  }, [language]);
  const [signed, setSigned] = useState<Signed | undefined>(
    () => keptSigned() ?? (isProxied ? { key: '', author: '' } : undefined),
  );
  const [me, setMe] = useState<Schemas['Me']>();
  const [refusal, setRefusal] = useState<string>();
  const api = useMemo(() => signed && new DeskApi(root, signed), [root, signed]);
  const signOut = useCallback((why?: string) => {
    keepSigned(undefined);
    setRefusal(why);
    setMe(undefined);
    setSigned(undefined);
  }, []);
  useEffect(() => {
    api?.get<Schemas['Me']>('me').then(setMe, (error: unknown) => {
      if (isRefusedKey(error)) return signOut(texts.signIn.refused);
      setRefusal(problemOf(error, texts));
      setTimeout(() => setSigned((last) => last && { ...last }), INTERVAL_MS);
    });
  }, [api]);
  // The parts of the page know the texts of players by this.
  const page = { texts: LANGUAGES.get(language)! } as PageContextValue;
  return (
    <PageContext.Provider value={page}>
      <IconSprite />
      {me === undefined || api === undefined ? (
        <SignIn
          refusal={refusal}
          isWaiting={api !== undefined}
          texts={texts}
          onEnter={(entered) => {
            keepSigned(entered);
            setRefusal(undefined);
            setSigned(entered);
          }}
        />
      ) : (
        <SignedDesk {...{ api, me, texts, formats, signOut }} author={me.moderator ?? signed?.author ?? ''} />
      )}
    </PageContext.Provider>
  );
}

interface SignedDeskProps extends Pick<DeskContextValue, 'api' | 'me' | 'texts' | 'formats' | 'signOut'> {
  readonly author: string;
}

/** From this width on a sheet is beside the list, and otherwise in its place: as in desk.css. */
const HAS_ROOM_BESIDE = '(min-width: 64rem)';

function SignedDesk({ author, ...signed }: SignedDeskProps): JSX.Element {
  const { me, texts } = signed;
  const page = usePage();
  const [state, setState] = useState(() => stateIn(location.hash));
  const [rule, setRule] = useState<RuleDraft>();
  const [turn, setTurn] = useState(0);
  const [notice, setNotice] = useState('');
  useEffect(() => {
    const follow = (): void => setState(stateIn(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const go = useCallback((change: Partial<DeskState>) => {
    const next = { ...stateIn(location.hash), ...change };
    history.replaceState(null, '', hashOf(next));
    setState(next);
  }, []);
  const value = useMemo<DeskContextValue>(
    () => ({
      ...signed,
      turn,
      open: (id) => go({ id }),
      find: (query) =>
        go({ tab: 'servers', query, ...(!matchMedia(HAS_ROOM_BESIDE).matches && { id: undefined }) }),
      draft: setRule,
      async decide(doIt) {
        try {
          setNotice(await doIt());
        } catch (error) {
          setNotice(problemOf(error, texts));
        }
        setTurn((last) => last + 1);
      },
    }),
    [signed.api, me, texts, turn],
  );
  const tabs = TABS.filter((tab) => tab !== 'reports' || me.reasons.length > 0);
  return (
    <DeskContext.Provider value={value}>
      <header class="head">
        <h1>
          <span>{texts.title}</span>
        </h1>
        <nav aria-label={page.texts.views}>
          {tabs.map((tab) => (
            <a
              href={hashOf({ tab, query: '', id: undefined })}
              aria-current={tab === state.tab ? 'page' : undefined}
              key={tab}
            >
              {texts.tabs[tab]}
            </a>
          ))}
        </nav>
        <bdi class="muted">{author}</bdi>
        {me.moderator === undefined && (
          <button type="button" class="button" onClick={() => signed.signOut()}>
            {texts.signIn.out}
          </button>
        )}
      </header>
      <main class={state.id === undefined ? 'desk' : 'desk has-sheet'}>
        {state.tab === 'servers' && <EntriesTable query={state.query} openId={state.id} />}
        {state.tab === 'reports' && <ReportsList />}
        {state.tab === 'bans' && <BansList />}
        {state.tab === 'labels' && <LabelsList />}
        {state.tab === 'audit' && <AuditList />}
        {state.id !== undefined && <EntrySheet id={state.id} key={state.id} />}
      </main>
      {rule && <RuleDialog rule={rule} onClose={() => setRule(undefined)} />}
      <p class="bottom-note" role="status" hidden={notice === ''}>
        {notice}
        <button type="button" class="button" onClick={() => setNotice('')}>
          {page.texts.close}
        </button>
      </p>
    </DeskContext.Provider>
  );
}
