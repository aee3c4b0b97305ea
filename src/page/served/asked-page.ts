/** Parses a request for the page into the view that the page renders: its settings, its files and its language. */

import { acceptedLanguages } from '../../api/http/negotiation.ts';
import type { EndpointRequest } from '../../api/http/route.ts';
import type { PlainView } from '../plain/renderer.ts';
import { accentFile } from './made-styles.ts';
import { languageOf, pageQuery, parsePageAddress, type PageAddress } from './page-address.ts';
import { START, type PageFiles } from './page-files.ts';

/** A request for the page, as far as it is understood. */
export interface AskedPage {
  readonly address: PageAddress;
  readonly files: PageFiles;
  /** The view of all servers. */
  readonly view: PlainView;
}

/** The settings of the page that the operator chooses. */
export interface PageSettings extends Omit<PlainView['settings'], 'root' | 'logo' | 'worker'> {
  /** A color in CSS. */
  readonly accent: string | undefined;
  /** The address of the service for everybody; undefined if the operator has not set it. */
  readonly publicUrl: string | undefined;
}

export function createAsked(
  settings: PageSettings,
  files: () => Promise<PageFiles>,
): (request: EndpointRequest) => Promise<AskedPage> {
  return async ({ query, headers, parameter }) => {
    const address = parsePageAddress(query, settings.hiddenLabels);
    const all = await files();
    const view = {
      settings: settingsOf(settings, all, parameter === undefined ? './' : '../'),
      files: {
        icon: fileHref(all.icon),
        theme: fileHref(all.theme),
        styles: stylesOf(address, settings, all).map(fileHref),
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

function settingsOf(
  { accent: _accent, publicUrl: _publicUrl, ...settings }: PageSettings,
  { logo, worker }: PageFiles,
  root: './' | '../',
): PlainView['settings'] {
  return {
    ...settings,
    root,
    logo: logo === undefined ? null : fileHref(logo),
    worker: fileHref(worker),
  };
}

function stylesOf(address: PageAddress, { accent }: PageSettings, { style }: PageFiles): readonly string[] {
  const color = address.look.accent ?? accent;
  return [style, ...(color === undefined ? [] : [accentFile(color).name])];
}

/** Relative to the service. */
function fileHref(name: string): string {
  return `browse/${name}`;
}
