import { isJsonObject } from '#event-sourcing';
import { type RecordedOf, authorOf, happenedAt } from '../context.events.js';
import { basisOf } from '../basis/stale-work.js';
import { type EventFolds } from '../event-fold.js';
import { type ItemChange, type ItemLookup } from '../item.js';
import { asJson } from '../json.js';
import { authorship } from '../listed-entry.js';
import { defaultPriority } from '../priority.js';
import { acknowledgementNote, handoverKey } from './handover.item.js';

export const handoverFolds: EventFolds<'HandoverNoted' | 'HandoverAcknowledged'> = {
  HandoverNoted: {
    touches: ({ data }) => [handoverKey(data.handoverId)],
    fold: (event) => [handoverItem(event)],
  },
  HandoverAcknowledged: {
    touches: ({ data }) => [handoverKey(data.handoverId)],
    fold: (event, current) => acknowledgeHandover(event, current),
  },
};

/**
 * The state includes `visibility` and `trust`, so that they can be preserved if the handover is carried to another
 * context.
 */
function handoverItem(event: RecordedOf<'HandoverNoted'>): ItemChange {
  const { handoverId, to, priority = defaultPriority } = event.data;
  const { version, visibility, trust } = event;
  const who = { ...authorship(event), ...basisOf(event) };
  const state = { status: 'open', to, priority, version, visibility, trust, ...who };
  return { ...handoverKey(handoverId), state, body: asJson(event.data) };
}

/** The first acknowledgement closes a handover; further ones, and those of unknown handovers, have no effect. */
function acknowledgeHandover(
  event: RecordedOf<'HandoverAcknowledged'>,
  current: ItemLookup,
): readonly ItemChange[] {
  const { handoverId, note } = event.data;
  const key = handoverKey(handoverId);
  const item = current(key.kind, key.key);
  if (item?.state['status'] !== 'open') return [];
  const acknowledgement = note === undefined ? {} : { [acknowledgementNote]: note };
  return [
    {
      ...key,
      state: {
        ...item.state,
        status: 'acknowledged',
        acknowledgedBy: authorOf(event),
        acknowledgedAt: happenedAt(event),
      },
      body: { ...(isJsonObject(item.body) ? item.body : {}), ...acknowledgement },
    },
  ];
}
