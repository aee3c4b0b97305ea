/** The desk: a moderator signs in, and then sees entries, reports and decisions, and decides. */

import './desk.css';
import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { IconSprite } from '../parts/icon.tsx';
import { PageContext, usePage, type PageContextValue } from '../parts/page-context.ts';
import { createFormats, localeOf } from '../texts/formats.ts';
import { chooseLanguage, LANGUAGES } from '../texts/languages.ts';
import { Audit, Bans, LabelRules, Reports } from './decision-lists.tsx';
import { DeskApi, isRefusedKey, reasonOf, type Schemas, type Signed } from './desk-api.ts';
import { DeskContext, TABS, type DeskContextValue, type RuleDraft, type Tab } from './desk-context.ts';
import { DESK_LANGUAGES } from './desk-texts.ts';
import { Entries } from './entries.tsx';
import { EntrySheet } from './entry-sheet.tsx';
import { RuleDialog } from './rule-dialog.tsx';

/** What the address of the desk asks for. */
interface DeskState {
  readonly tab: Tab;
  readonly query: string;
  readonly id: string | undefined;
}

function stateIn(hash: string): DeskState {
  const [name = '', query = ''] = hash.slice(1).split('?', 2);
  const [tab = '', id] = name.split('/', 2);
  return {
    tab: TABS.find((each) => each === tab) ?? 'servers',
    query,
    id: id === undefined || id === '' ? undefined : decodeURIComponent(id),
  };
}

function hashOf({ tab, query, id }: DeskState): string {
  return `#${tab}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${query === '' ? '' : `?${query}`}`;
}

/** What is kept for this tab alone. */
const KEPT = 'gsls-desk';

function keptSigned(): Signed | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Partial<Signed> | null;
    return typeof kept?.key === 'string' && typeof kept.author === 'string' ? (kept as Signed) : undefined;
  } catch {
    return undefined;
  }
}

function keepSigned(signed: Signed | undefined): void {
  try {
    if (signed === undefined) sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, JSON.stringify(signed));
  } catch {
    // Without a storage the moderator signs in again after a reload.
  }
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
  const signOut = useCallback(() => {
    keepSigned(undefined);
    setMe(undefined);
    setSigned(undefined);
  }, []);
  useEffect(() => {
    if (api === undefined) return;
    api.get<Schemas['Me']>('me').then(setMe, (error: unknown) => {
      setRefusal(isRefusedKey(error) ? texts.signIn.refused : (reasonOf(error) ?? texts.away));
      signOut();
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
          texts={texts.signIn}
          title={texts.title}
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

interface SignInProps {
  readonly title: string;
  readonly texts: DeskContextValue['texts']['signIn'];
  readonly refusal: string | undefined;
  readonly isWaiting: boolean;
  readonly onEnter: (signed: Signed) => void;
}

function SignIn({ title, texts, refusal, isWaiting, onEnter }: SignInProps): JSX.Element {
  const [key, setKey] = useState('');
  const [author, setAuthor] = useState('');
  return (
    <main class="desk-sign-in">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          onEnter({ key, author: author.trim() });
        }}
      >
        <h1>{title}</h1>
        <label>
          {texts.key}
          <input
            class="field"
            type="password"
            autoComplete="off"
            required
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </label>
        <p class="muted">{texts.hint}</p>
        <label>
          {texts.author}
          <input
            class="field"
            autoComplete="nickname"
            required
            maxLength={64}
            value={author}
            onInput={({ currentTarget }) => setAuthor(currentTarget.value)}
          />
        </label>
        <p class="desk-problem" role="alert">
          {refusal}
        </p>
        <button type="submit" class="button is-main" disabled={isWaiting}>
          {texts.enter}
        </button>
      </form>
    </main>
  );
}

interface SignedDeskProps extends Pick<DeskContextValue, 'api' | 'me' | 'texts' | 'formats' | 'signOut'> {
  readonly author: string;
}

function SignedDesk({ author, ...signed }: SignedDeskProps): JSX.Element {
  const { me, texts } = signed;
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
      find: (query) => go({ tab: 'servers', query }),
      draft: setRule,
      async decide(doIt) {
        try {
          setNotice(await doIt());
        } catch (error) {
          setNotice(`${texts.refused} ${reasonOf(error) ?? texts.away}`);
        }
        setTurn((last) => last + 1);
      },
    }),
    [signed.api, me, texts, turn],
  );
  const tabs = TABS.filter((tab) => tab !== 'reports' || me.reasons.length > 0);
  return (
    <DeskContext.Provider value={value}>
      <header class="desk-head">
        <h1>{texts.title}</h1>
        <nav aria-label={texts.title}>
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
        <span class="desk-author">
          <bdi>{author}</bdi>
          {me.moderator === undefined && (
            <button type="button" class="button" onClick={signed.signOut}>
              {texts.signIn.out}
            </button>
          )}
        </span>
      </header>
      <main class={state.id === undefined ? 'desk' : 'desk has-sheet'}>
        {state.tab === 'servers' && <Entries query={state.query} openId={state.id} />}
        {state.tab === 'reports' && <Reports />}
        {state.tab === 'bans' && <Bans />}
        {state.tab === 'labels' && <LabelRules />}
        {state.tab === 'audit' && <Audit />}
        {state.id !== undefined && <EntrySheet id={state.id} key={state.id} />}
      </main>
      {rule && <RuleDialog rule={rule} onClose={() => setRule(undefined)} />}
      <p class="bottom-note" role="status" hidden={notice === ''}>
        {notice}
        <button type="button" class="button" onClick={() => setNotice('')}>
          {usePage().texts.close}
        </button>
      </p>
    </DeskContext.Provider>
  );
}
