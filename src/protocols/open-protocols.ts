/** The table of the protocols of other games, and the rooms of those that are spoken here. */

import { ServiceError } from '../model/service-error.ts';
import type { Context, Room } from '../api/http/context.ts';
import { located } from '../api/writes/found-country.ts';
import { NO_DETAILS } from '../model/fields/details.ts';
import { whyUnreachable } from '../model/net/public-address.ts';
import type { NativeState } from '../registry/native-entries.ts';
import type { GameServer, GameServerId } from '../model/game-server.ts';
import type { IpAddress } from '../model/net/ip.ts';
import type { OpenProtocol, ProtocolOutcome, ProtocolContext, ProtocolOptions, Refusal } from './protocol.ts';

/** By name. A folder is loaded if its protocol is spoken. */
const PROTOCOLS: Readonly<Record<string, OpenProtocol>> = {
  ddnet: async (context) => (await import('./ddnet/open-ddnet.ts')).openDdnet(context),
  luanti: async (context) => (await import('./luanti/open-luanti.ts')).openLuanti(context),
  dpmaster: async (context) => (await import('./dpmaster/open-dpmaster.ts')).openDpmaster(context),
};

export interface ProtocolsContext extends Context {
  readonly options: ProtocolOptions;
  readonly onOutcome: (protocol: string, outcome: ProtocolOutcome) => void;
  /** Whether the UDP port of dpmaster is for this replica, which it is by default: of several workers one has it. */
  readonly hasUdp?: boolean;
  /** Takes what closes each room. */
  readonly closeLater: (closer: () => Promise<void>) => void;
}

/** Rejects with a UdpPortError when the port of dpmaster cannot be listened on. */
export async function openProtocols(context: ProtocolsContext): Promise<readonly Room[]> {
  const { options, hasUdp = true } = context;
  const rooms: Room[] = [];
  for (const name of options.names) {
    if (name === 'dpmaster' && !hasUdp) continue;
    const room = await PROTOCOLS[name]!(protocolContextOf(context, name));
    if (room.close !== undefined) context.closeLater(room.close);
    rooms.push(room);
  }
  return rooms;
}

/** The context that the protocol of this name is opened with. */
export function protocolContextOf(
  context: Omit<ProtocolsContext, 'hasUdp' | 'closeLater'>,
  protocol: string,
): ProtocolContext {
  const { registry, letIn, countryOf, onOutcome } = context;
  const { nativeEntries } = registry;
  const admitThis = (id: GameServerId, gameServer: GameServer, client: string) =>
    admit(context, id, gameServer, client);
  return {
    ...context,
    admit: admitThis,
    secret() {
      const secret = registry.secret.text;
      if (secret === undefined) throw new ServiceError('registry_unavailable');
      return secret;
    },
    async publish(id: GameServerId, state: NativeState, client: IpAddress) {
      const describe: NativeState['describe'] = (links) =>
        located(state.describe(links), NO_DETAILS, countryOf);
      const described = describe([state.link]);
      const outcome =
        admitThis(id, described, client) ??
        (registry.known(id) === undefined ? await letIn?.() : undefined) ??
        (await nativeEntries.publish(id, { ...state, describe }, { address: client }));
      onOutcome(protocol, typeof outcome === 'string' ? outcome : 'refused');
      return outcome;
    },
    async withdraw(id: GameServerId, link: string) {
      const outcome = await nativeEntries.withdraw(id, link);
      if (outcome === 'withdrawn') onOutcome(protocol, 'left');
      return outcome;
    },
    count: (outcome) => onOutcome(protocol, outcome),
  };
}

/** The part of the context that admission needs. */
type AdmissionContext = Pick<ProtocolsContext, 'options' | 'registry'>;

/**
 * Whether a game server may be listed, by bans and by its address. Throws a ServiceError `registry_unavailable` before
 * the bans are known.
 */
function admit(
  { options, registry }: AdmissionContext,
  id: GameServerId,
  { ip, host, name, details }: GameServer,
  client: string,
): Refusal | undefined {
  const ban = registry.moderation.findBan({ id, client, ip, host, name, ...(details && { details }) });
  if (ban?.mode === 'refuse') return { is: 'banned', reason: ban.reason };
  const why = options.publicAddressesOnly ? whyUnreachable(ip) : undefined;
  return why === undefined ? undefined : { is: 'unreachable_address', why };
}
