import { basisOf } from '../basis/stale-work.js';
import { type EventFolds } from '../event-fold.js';
import { type ItemKey } from '../item.js';
import { asJson } from '../json.js';
import { authorship } from '../listed-entry.js';

export function recordKey(recordId: string): ItemKey {
  return { kind: 'record', key: recordId };
}

export const recordFolds: EventFolds<'RecordAppended'> = {
  RecordAppended: {
    touches: ({ data }) => [recordKey(data.recordId)],
    fold: (event) => {
      const { recordId, kind } = event.data;
      const state = { kind, version: event.version, ...authorship(event), ...basisOf(event) };
      return [{ ...recordKey(recordId), state, body: asJson(event.data) }];
    },
  },
};
