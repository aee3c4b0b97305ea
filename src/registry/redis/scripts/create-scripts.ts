/** Carries out the calls of Scripts: their arguments for Lua, and what the replies mean. */

import { hash } from 'node:crypto';
import { NO_DETAILS } from '../../../model/fields/details.ts';
import {
  REACHED,
  type GameServer,
  type GameServerId,
  type ListedGameServer,
} from '../../../model/game-server.ts';
import { HISTORY_STEPS } from '../../history-record.ts';
import { NO_QUOTAS } from '../../registry-rules.ts';
import { UNKNOWN_CALLER, type AnyCaller } from '../../registry.ts';
import { lifetimeOf } from '../../native-entries.ts';
import { VOICE_LIFE_MS } from '../../reports/voices.ts';
import { networkNumber } from '../client-network.ts';
import { lifetimeNumber } from '../lifetime-number.ts';
import { placeOf } from '../place.ts';
import { stateVersionOf, type ParkedEntry, type Tombstone } from '../follower/changes-batch.ts';
import { clockOffset, type Moment } from '../redis-clock.ts';
import { formatSeen } from '../follower/seen-field.ts';
import { readChanges } from '../follower/changes-reply.ts';
import { readHistory, readKeptTexts, readRecounted, readSettings } from './kept-replies.ts';
import { fullPing, readShortPing, shortPing } from './ping-forms.ts';
import { CODES, rowOf } from './script-contract.ts';
import { readBroadcasted, readPinged, readPublished, readRemoved } from './script-replies.ts';
import { createScriptRunner, unavailable, type ScriptContext } from './script-runner.ts';
import { calledCommands } from './script-source.ts';
import type { Scripts } from './scripts.ts';

/** Makes the scripts known to the client. No command is sent. */
export function createScripts(context: ScriptContext): Scripts {
  const { client, keys, events, systemNow = Date.now } = context;
  const { recordPrefix, leasePrefix, historyPrefix, reports } = keys;
  const { isExempt } = context.quotas ?? NO_QUOTAS;
  const { replica, clock, run } = createScriptRunner(context);
  let commandRows: readonly string[] | undefined;
  const moment = (): Moment => ({ steady: performance.now(), system: systemNow() });

  return {
    async broadcast(id, gameServer, caller: AnyCaller = UNKNOWN_CALLER, predecessor, since) {
      const { address, proof } = caller;
      const row = rowOf('broadcast', {
        id,
        ...saidBy(gameServer),
        claims: proof === 'token',
        client: address,
        network: networkNumber(address),
        isExempt: isExempt(address),
        predecessorId: predecessor?.id ?? '',
        predecessorProof: predecessor?.proof ?? '',
      });
      const reply = await run.broadcast({ id, form: 'broadcast', row }, since);
      return readBroadcasted(reply, id, gameServer, caller);
    },

    async ping(id, gameServer, caller: AnyCaller = UNKNOWN_CALLER, known, since) {
      const short = known && shortPing(gameServer, caller, known);
      if (short !== undefined) {
        const reply = await run.ping(short, since);
        if (reply !== CODES.SAY_ALL) return readShortPing(reply, gameServer, known!);
      }
      const rights = { isExempt: isExempt(caller.address) };
      return readPinged(await run.ping(fullPing(id, gameServer, caller, rights), since), id, gameServer);
    },

    async rebroadcast(id, gameServer, caller, since) {
      const rights = { mayMove: true, isExempt: isExempt(caller.address) };
      return readPinged(await run.ping(fullPing(id, gameServer, caller, rights), since), id, gameServer);
    },

    async remove(id, ip = '', { proof }, since, parks = false) {
      const args = { id, ip, proof: proof === 'none' ? '' : proof, parks };
      return readRemoved(await run.remove(args, { record: recordPrefix + id, since }));
    },

    async publish(id, { gameServer, client: address, lifetime, link, links, document }, since) {
      const args = {
        id,
        ...saidBy(gameServer),
        client: address,
        network: networkNumber(address),
        isExempt: isExempt(address),
        lifetime: lifetimeNumber(lifetime),
        link,
        links: links.join(','),
        reachability: REACHED,
        document,
      };
      const reply = await run.publish(args, { record: recordPrefix + id, since });
      const standing = { isClaimed: true, client: address, reachability: REACHED };
      return readPublished(reply, id, gameServer, standing);
    },

    async withdraw(id, link, since) {
      return readRemoved(await run.withdraw({ id, link }, { record: recordPrefix + id, since }));
    },

    async changes(position, mustWrite = false) {
      const { epoch, cursor, base, logOffset = '' } = position;
      const args = { recordPrefix, knownEpoch: epoch, cursor, base, mustWrite, logOffset };
      const asked = moment();
      const reply = await run.changes(args);
      const told = moment();
      const { batch, now } = readChanges(reply, position);
      clock.told(now);
      events?.onClock?.(clockOffset(asked, now, told));
      return batch;
    },

    async restore({ version, tombstones, listed }, holds = false) {
      const args = { recordPrefix, knownVersion: version, replica, holds };
      const [parked, removed] = [tombstones.filter(isParked), tombstones.filter((each) => !isParked(each))];
      const rows = [
        ...removed.flatMap(({ id, version: removedVersion, revivable, isClaimed }) =>
          rowOf('tombstone', { id, removedVersion, revival: revivable ? (isClaimed ? 2 : 1) : '' }),
        ),
        ...parked.flatMap(({ version: removedVersion, parked: { entry, until } }) =>
          rowOf('parked', {
            ...entry,
            ...saidBy(entry),
            seen: formatSeen(entry.seen),
            removedVersion,
            parkedUntil: until,
            network: networkNumber(entry.client),
          }),
        ),
        ...listed.flatMap((entry) =>
          rowOf('entry', {
            ...entry,
            ...saidBy(entry),
            seen: formatSeen(entry.seen),
            toldVersion: stateVersionOf(entry),
            claimed: entry.isClaimed,
            network: networkNumber(entry.client),
            lifetime: lifetimeNumber(lifetimeOf(entry.details)),
            links: linksOf(entry),
            document: context.documentOf?.(entry) ?? '',
          }),
        ),
      ];
      const counts = {
        tombstoneCount: removed.length,
        parkedCount: parked.length,
        entryCount: listed.length,
      };
      return (await run.restore({ ...args, ...counts }, { rows })) as GameServerId[];
    },

    declareWhole: async (knownEpoch, knownLoss, digestOffset) =>
      (await run['declare-whole']({ knownEpoch, knownLoss, digestOffset, replica })) === 1,

    async mend(suspects) {
      const rows = [...suspects].flatMap(([id, damagedEpoch]) => rowOf('suspect', { id, damagedEpoch }));
      await run.mend({ recordPrefix }, { rows });
    },

    async reset(onProgress) {
      let removed = 0;
      for (;;) {
        const [gameServers, tombstones] = (await run.reset({ recordPrefix })) as [number, number];
        if (gameServers + tombstones === 0) return;
        removed += gameServers;
        onProgress(removed);
      }
    },

    count: () => client.zcard(keys.shared[0]!).catch(unavailable),

    async noteReachability(id, { ip, port }, reachability, seen) {
      const args = { id, ip, port, reachability, seen: formatSeen(seen) };
      await run['note-reachability'](args, { record: recordPrefix + id });
    },

    async takeLease(name, forMs) {
      const key = leasePrefix + name;
      const isTaken = (await client.set(key, replica, 'PX', forMs, 'NX').catch(unavailable)) === null;
      if (isTaken && (await client.get(key).catch(unavailable)) !== replica) return false;
      if (isTaken) await client.pexpire(key, forMs).catch(unavailable);
      return true;
    },

    async exchangeSettings({ secret, newSecret, version, ...more }) {
      const { moderation = '', wantsModeration = false, damagedVersion = '' } = more;
      const known = { knownSecret: secret, knownVersion: version };
      const about = { knownModeration: moderation, wants: wantsModeration, damagedVersion };
      return readSettings(await run.settings({ ...known, newSecret, ...about }));
    },

    moderate: async (knownVersion, moderation) => (await run.moderate({ knownVersion, moderation })) !== 0,

    async recount({ rank, miscounted }) {
      const rows = miscounted.flatMap(([id, whose]) =>
        rowOf('miscounted', { id, client: whose, network: networkNumber(whose) }),
      );
      return readRecounted(await run.recount({ recordPrefix, rank }, { rows }), rank);
    },

    async exchangeHistory(step, points, after) {
      const { ms, most } = HISTORY_STEPS[step];
      const rows = points.map(({ time, servers, players, peak }) => `${time} ${servers} ${players} ${peak}`);
      return readHistory(
        await run.history({ stepMs: ms, most, after }, { rows, record: historyPrefix + step }),
      );
    },

    async exchangeTexts(of, writes, cursor) {
      const rows = writes.flatMap((write) => {
        if (write.reads) return [write.id, 'read', ''];
        const { id, known, next } = write;
        const sum = known === undefined ? '' : hash('sha1', Buffer.from(known, 'latin1'));
        return [id, sum, Buffer.from(next, 'latin1')];
      });
      const [record, keptMs] =
        of === 'histories' ? [`${historyPrefix}servers`, ''] : [reports, VOICE_LIFE_MS];
      return readKeptTexts(await run['kept-texts']({ cursor, keptMs }, { rows, record }));
    },

    async missingRights() {
      commandRows ??= calledCommands().flatMap((command) => rowOf('command', { command }));
      return (await run.rights({}, { rows: commandRows })) as readonly string[];
    },
  };
}

type ParkedTombstone = Tombstone & { readonly parked: ParkedEntry };

function isParked(tombstone: Tombstone): tombstone is ParkedTombstone {
  return tombstone.parked !== undefined;
}

/** The links of an entry of another protocol, separated by commas; '' of any other. */
function linksOf({ details }: ListedGameServer): string {
  return details.areOfProtocol ? (details.fields.links ?? []).join(',') : '';
}

/** The fields of a game server as arguments of a script, with its place in the index of addresses. */
function saidBy({ ip, host, name, port, players, maxPlayers, details = NO_DETAILS }: GameServer): {
  [field in 'ip' | 'host' | 'name' | 'details' | 'place']: string;
} & { [field in 'port' | 'players' | 'maxPlayers']: number } {
  const place = placeOf({ host, ip, port });
  return { ip, host, name, port, players, maxPlayers, details: details.text, place };
}
