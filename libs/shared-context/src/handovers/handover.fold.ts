import { isJsonObject } from '#event-sourcing';
import { type RecordedOf, authorOf, happenedAt } from '../context.events.js';
import { basisOf } from '../basis/stale-work.js';
import { type EventFolds } from '../event-fold.js';
import { type ItemChange, type ItemLookup } from '../item.js';
import { asJson } from '../json.js';
import { authorship } from '../listed-entry.js';
import { usualPriority } from '../priority.js';
import { acknowledgementNote, handoverKey } from './handover.item.js';

export const handoverFolds: EventFolds<'HandoverNoted' | 'HandoverAcknowledged'> = {
  HandoverNoted: {
    touches: ({ data }) => [handoverKey(data.handoverId)],
    fold: (event) => [noted(event)],
  },
  HandoverAcknowledged: {
    touches: ({ data }) => [handoverKey(data.handoverId)],
    fold: (event, current) => acknowledged(event, current),
  },
};

/** `visibility` and `trust` are kept, so that it can be noted again elsewhere as what it is. */
function noted(event: RecordedOf<'HandoverNoted'>): ItemChange {
  const { handoverId, to, priority = usualPriority } = event.data;
  const { version, visibility, trust } = event;
  const who = { ...authorship(event), ...basisOf(event) };
  const state = { status: 'open', to, priority, version, visibility, trust, ...who };
  return { ...handoverKey(handoverId), state, body: asJson(event.data) };
}

/** Whoever acknowledges it first ends it; of what is not there nothing can be said. */
function acknowledged(
  event: RecordedOf<'HandoverAcknowledged'>,
  current: ItemLookup,
): readonly ItemChange[] {
  const { handoverId, note } = event.data;
  const key = handoverKey(handoverId);
  const item = current(key.kind, key.key);
  if (item?.state['status'] !== 'open') return [];
  const said = note === undefined ? {} : { [acknowledgementNote]: note };
  return [
    {
      ...key,
      state: {
        ...item.state,
        status: 'acknowledged',
        acknowledgedBy: authorOf(event),
        acknowledgedAt: happenedAt(event),
      },
      body: { ...(isJsonObject(item.body) ? item.body : {}), ...said },
    },
  ];
}
