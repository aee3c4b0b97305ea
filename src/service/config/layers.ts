/**
 * Tells where the values of options come from: each source is a layer of texts by option, and the first that has an
 * option wins. Parses no value.
 */

import { didYouMean } from '../../model/did-you-mean.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import { OPTIONS } from './options.ts';

export type OptionName = keyof typeof OPTIONS;

/** How an option was set. */
export interface Given {
  readonly by: 'flag' | 'variable' | 'file';
  /** True for a switch. */
  readonly texts: readonly string[] | true;
  /** The beginning of a complaint: the flag, the variable, or the place in the file and the name there. */
  readonly source: string;
}

export type OptionLayer = Readonly<Partial<Record<OptionName, Given>>>;

/** The flags of the command line: texts by option name, true for a switch. */
export type Flags = Readonly<Partial<Record<OptionName, readonly string[] | true>>>;

export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[];

export function layerOfFlags(flags: Flags): OptionLayer {
  return layerOf('flag', (name) => flags[name]);
}

/** An empty variable counts as unset. Throws a UsageError for a variable that no option has. */
export function layerOfEnvironment(environment: Readonly<NodeJS.Dict<string>>): OptionLayer {
  refuseUnknownVariables(environment);
  return layerOf('variable', (name) => {
    const text = environment[OPTIONS[name].variable];
    return text ? [text] : undefined;
  });
}

function layerOf(by: 'flag' | 'variable', textsOf: (name: OptionName) => Flags[OptionName]): OptionLayer {
  const layer: Partial<Record<OptionName, Given>> = {};
  for (const name of OPTION_NAMES) {
    const texts = textsOf(name);
    if (texts !== undefined) layer[name] = { by, texts, source: OPTIONS[name][by] };
  }
  return layer;
}

/** The options of all layers together. */
export function joinLayers(layers: readonly OptionLayer[]): OptionLayer {
  return Object.assign({}, ...layers.toReversed()) as OptionLayer;
}

/** A misspelt variable would silently leave the default in place, for example a registry in memory. */
function refuseUnknownVariables(environment: Readonly<NodeJS.Dict<string>>): void {
  const known = Object.values(OPTIONS).map(({ variable }) => variable);
  // GSLS_ANNOUNCE_… are those of `gsls announce`, which looks after them itself.
  // Kubernetes sets GSLS_SERVICE_… and GSLS_PORT_… by itself next to a Service named gsls, likewise for gsls-ops,
  // gsls-dpmaster and gsls-beacon.
  const unknown = Object.keys(environment).find(
    (name) =>
      name.startsWith('GSLS_') &&
      !known.includes(name) &&
      !/^GSLS_(ANNOUNCE_|((OPS|DPMASTER|BEACON)_)?(SERVICE|PORT)_)/.test(name),
  );
  if (unknown !== undefined) throw new UsageError(`unknown variable ${unknown}${didYouMean(unknown, known)}`);
}
