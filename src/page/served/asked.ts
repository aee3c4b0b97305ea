/** What a request asks of the page, and what the page is told for it: its settings, its files and its language. */

import type { Config } from '../../service/config/config.ts';
import { acceptedLanguages } from '../../api/http/negotiation.ts';
import type { EndpointRequest } from '../../api/http/route.ts';
import type { PlainView } from '../plain/renderer.ts';
import { accentFile, columnsFile, shownColumns } from './made-styles.ts';
import { languageOf, pageQuery, parsePageAddress, type PageAddress } from './page-address.ts';
import { START, type PageFiles } from './page-files.ts';

/** A request for the page, as far as it is understood. */
export interface Asked {
  readonly address: PageAddress;
  readonly files: PageFiles;
  /** Of all servers. */
  readonly view: PlainView;
}

/** What the operator says of the page. */
export type PageConfig = Pick<
  Config,
  | 'pageTitle'
  | 'pageNotice'
  | 'pageConnect'
  | 'pageMetaFilters'
  | 'pageAccent'
  | 'pageRedirect'
  | 'allowUnlisted'
>;

export function createAsked(
  config: PageConfig,
  files: () => Promise<PageFiles>,
): (request: EndpointRequest) => Promise<Asked> {
  return async ({ query, headers }) => {
    const address = parsePageAddress(query);
    const all = await files();
    const view = {
      settings: settingsOf(config, all),
      files: {
        icon: fileHref(all.icon),
        theme: fileHref(all.theme),
        styles: stylesOf(address, config, all).map(fileHref),
        script: fileHref(all.script),
        start: fileHref(START),
      },
      query: pageQuery(address, ''),
      language: languageOf(address, acceptedLanguages(headers['accept-language'])),
      staleSince: undefined,
    };
    return { address, files: all, view };
  };
}

function settingsOf(config: PageConfig, { logo, worker }: PageFiles): PlainView['settings'] {
  return {
    title: config.pageTitle,
    notice: config.pageNotice ?? null,
    connect: config.pageConnect ?? null,
    logo: logo === undefined ? null : fileHref(logo),
    json: config.pageRedirect ? 'servers' : './',
    worker: fileHref(worker),
    metaFilters: config.pageMetaFilters,
    hasJoinCodes: config.allowUnlisted,
  };
}

function stylesOf(address: PageAddress, { pageAccent }: PageConfig, { style }: PageFiles): readonly string[] {
  const color = address.look.accent ?? pageAccent;
  return [
    style,
    columnsFile(shownColumns(address)).name,
    ...(color === undefined ? [] : [accentFile(color).name]),
  ];
}

/** Relative to the page. */
function fileHref(name: string): string {
  return `browse/${name}`;
}
