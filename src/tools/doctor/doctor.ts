/**
 * `gsls doctor`: why is my game server not listed? Asks the service, compares what it sees with what this machine
 * knows, and prints the cause and the one next step. Within five seconds.
 */

import { UsageError } from '../../runtime/usage-error.ts';
import type { ClientCommand, CommandContext } from '../client-command.ts';
import { createCommand } from '../../service/commands/create-command.ts';
import { FINDINGS, sentenceOf } from '../../model/findings.ts';
import { addressKindOf } from '../../model/net/address-kind.ts';
import { parseIp } from '../../model/net/ip.ts';
import { printable } from '../../model/printable.ts';
import type { CheckHere, Here, LookHere } from './doctor-here.ts';
import type { Diagnosis, Unanswered } from './doctor-service.ts';

const EXAMPLES = `
Exit codes: 0 listed and fine, 1 a cause was found, 2 called wrongly, 3 the
service was not reached.

Examples:
  gsls doctor https://list.example.com play.example.com:7777
  gsls doctor https://list.example.com localhost:7777 --token-file my.token
  gsls doctor http://localhost:53600 [2001:db8::7]:7777 --json
  gsls doctor https://eu.example.com play.example.com:7777 https://us.example
`;

interface DoctorFlags {
  readonly tokenFile?: string;
  readonly id?: string;
  readonly key?: string;
  readonly json?: true;
}

/** The time limit of all requests and looks together. */
const LIMIT_MS = 4700;
/** The least time limit of a request, even where a silent name server has used up the rest. */
const LEAST_LEFT_MS = 300;
const MOST_ID = 64;
/** The exit code where no service was reached. */
const NOT_REACHED = 3;

/** Its words and its exit code are those of a ClientCommand. */
export const doctor: ClientCommand = async (args, context) => {
  const { lookHere } = await import('./doctor-here.ts');
  return createDoctorCommand(lookHere)(args, context);
};

/** `limitMs`: how long all that it asks may take. */
export function createDoctorCommand(lookHere: LookHere, limitMs = LIMIT_MS): ClientCommand {
  return async (args, context) => {
    let code = 0;
    const command = createCommand('gsls doctor', 'tell why a game server is not listed, and what to do')
      .argument('<url>', 'of the service')
      .argument('<host:port>', 'by which players reach the game server')
      .argument('[urls...]', 'of further services: the first that answers is asked')
      .option('--token-file <path>', 'the file with its Server-Token: the service then tells all of it')
      .option('--id <id>', 'the id that the answer to its broadcast had')
      .option('--key <key>', 'the key of the service, better as GSLS_KEY')
      .option('--json', 'one line of JSON, for programs')
      .addHelpText('after', EXAMPLES)
      .configureOutput({ writeOut: (text) => void context.stdout.write(text) })
      .action(async (...[first, second, more, flags]: [string, string, readonly string[], DoctorFlags]) => {
        const { takeServiceUrls } = await import('../asked-service.ts');
        const { urls, rest } = takeServiceUrls([first, second, ...more]);
        const [address = '', excess] = rest;
        if (excess !== undefined)
          throw new UsageError('gsls doctor takes one game server, and URLs of services');
        for (const [index, url] of urls.entries()) {
          const limits = { lookHere, limitMs, isLast: index === urls.length - 1 };
          code = await diagnose(url, address, flags, context, limits);
          if (code !== NOT_REACHED) break;
        }
      });
    await command.parseAsync(args, { from: 'user' });
    return code;
  };
}

async function diagnose(
  url: string,
  address: string,
  flags: DoctorFlags,
  { environment, stdout, stderr }: CommandContext,
  {
    lookHere,
    limitMs,
    isLast,
  }: { readonly lookHere: LookHere; readonly limitMs: number; readonly isLast: boolean },
): Promise<number> {
  const endsAt = performance.now() + limitMs;
  const { keyOf } = await import('../asked-service.ts');
  const { host, port } = parseAddress(address);
  const { id } = flags;
  if (id !== undefined && (id === '' || id.length > MOST_ID))
    throw new UsageError(`--id must be an id of 1 to ${MOST_ID} characters`);
  const { createAsk } = await import('../../../clients/typescript/src/ask.ts');
  const { httpFetch } = await import('../../runtime/http-fetch.ts');
  const { askDoctor, askList } = await import('./doctor-service.ts');
  const { exitCodeOf, reportAsJson, reportAsText } = await import('./doctor-report.ts');
  const key = keyOf(flags, environment);
  const ask = createAsk({ url, key, fetch: httpFetch });
  // The limit is in tenths of a second, as people read it.
  const leftMs = (): number => Math.max(LEAST_LEFT_MS, 100 * Math.floor((endsAt - performance.now()) / 100));
  const { findToken, readToken } = await import('./doctor-token.ts');
  const isWindows = process.platform === 'win32';
  const named = flags.tokenFile === undefined ? undefined : readToken(flags.tokenFile, isWindows);
  const here = await lookHere(host, port);

  const askWith = (token: string | undefined): Promise<Diagnosis | Unanswered> => {
    const askAbout = async (about: string | undefined): Promise<Diagnosis | Unanswered> => {
      const found = await askDoctor(ask, { host: about, port, id, token }, leftMs());
      return found === 'no_doctor' ? askList(ask, here.addresses, port, leftMs()) : found;
    };
    return askAll(askAbout, host, here);
  };
  let { token, check } = named ?? findToken(url, [host, ...here.addresses], port, environment, isWindows);
  let found = await askWith(token);
  if (named === undefined && token !== undefined && !isOfAsked(found, here)) {
    [token, check] = [undefined, undefined];
    found = await askWith(token);
  }
  const checks = [...(check === undefined ? [] : [check]), ...here.checks];
  if ('notReached' in found && !isLast) {
    stderr.write(`gsls: ${url} is not reached: ${printable(found.says)}\n`);
    return exitCodeOf(found);
  }
  const report = { url, host, port, here: checks, found };
  stdout.write(flags.json ? reportAsJson(report) : reportAsText(report));
  return exitCodeOf(found);
}

/** Whether the entry of a token that nobody has named is that of the game server in question. */
function isOfAsked(found: Diagnosis | Unanswered, { addresses, isThisMachine }: Here): boolean {
  if ('notReached' in found) return true;
  const ip = found.entry?.['ip'];
  return typeof ip === 'string' && (isThisMachine || addresses.includes(ip));
}

/**
 * Asks first about what the service sees, where the address says nothing outside of this network, or is one of several:
 * then about the address, if the service sees another one.
 */
async function askAll(
  askAbout: (host: string | undefined) => Promise<Diagnosis | Unanswered>,
  host: string,
  here: Here,
): Promise<Diagnosis | Unanswered> {
  const { addresses, isThisMachine, checks } = here;
  const [first, ...others] = addresses;
  const isPrivate = first === undefined || !isPublic(first);
  const isInside = (isThisMachine && isPrivate) || checks.some(({ code }) => code === 'host_address');
  const about = isInside ? undefined : first === undefined || others.length > 0 ? host : first;
  const found = await askAbout(about);
  if ('notReached' in found || found.client_address === undefined) return found;
  const isElsewhere = !isThisMachine && first !== undefined && !addresses.includes(found.client_address);
  if (isElsewhere && about !== first) {
    // What has the address of this whole network is the game server behind it, but not within the network.
    const isOfNetwork = isInside && isPublic(found.client_address);
    if (found.entry === undefined || (isInside && !isOfNetwork)) return askAbout(first);
  }
  return refine(found, here);
}

function isPublic(address: string): boolean {
  const ip = parseIp(address);
  return ip !== undefined && addressKindOf(ip) === undefined;
}

/** The causes that only this machine can find. */
const UNKNOWN_NAME = {
  cause: 'unknown_name',
  says: 'the name of the game server is not known, and the service lists none by it',
  next_step: 'correct the name of the game server, or its record in DNS',
};
const NOT_LISTENING = {
  cause: 'not_listening',
  says: sentenceOf('not_listening', 'this machine itself refuses the connection'),
  next_step: FINDINGS.not_listening.nextStep,
};
const OF_PORTS: readonly string[] = ['port_closed', 'not_verified'];

function refine(found: Diagnosis, { checks }: Here): Diagnosis {
  const isWrong = (code: CheckHere['code']): boolean =>
    checks.some((each) => each.code === code && each.result === 'wrong');
  if (isWrong('host') && found.entry === undefined) return { ...found, ...UNKNOWN_NAME };
  return isWrong('port_here') && OF_PORTS.includes(found.cause) ? { ...found, ...NOT_LISTENING } : found;
}

/** Throws a UsageError. */
function parseAddress(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || host.length > 253 || /[\s\p{C}]/u.test(host))
    throw new UsageError(
      'the game server must be like play.example.com:7777, 203.0.113.7:7777 or [2001:db8::7]:7777',
    );
  if (port < 1 || port > 65_535) throw new UsageError('the port of the game server must be from 1 to 65535');
  return { host, port };
}
