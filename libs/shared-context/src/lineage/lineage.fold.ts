import { type EventFolds } from '../event-fold.js';
import { decisionCounterKey } from '../decisions/decision.item.js';
import { type ItemChange, type ItemKey } from '../item.js';
import { creationKey, life, lifeKey } from '../life/life.fold.js';

export function checkpointKey(name: string): ItemKey {
  return { kind: 'checkpoint', key: name };
}

/**
 * What these do to items of their own. What they take from elsewhere is not folded: whoever folds puts the items of
 * the base under the event, as {@link rebase} says.
 */
export const lineageFolds: EventFolds<'ContextForked' | 'ContextRestored' | 'CheckpointCreated'> = {
  ContextForked: {
    touches: () => [lifeKey, creationKey, decisionCounterKey],
    fold: (event, current) => [
      life(event, 'open'),
      {
        ...creationKey,
        state: { createdAt: event.recordedAt, createdBy: event.principal },
        body: current(creationKey.kind, creationKey.key)?.body ?? {},
      },
      ...copied(current(decisionCounterKey.kind, decisionCounterKey.key)),
    ],
  },
  ContextRestored: { touches: () => [], fold: () => [] },
  CheckpointCreated: {
    touches: ({ data }) => [checkpointKey(data.name)],
    fold: ({ data, recordedAt, principal }) => [
      {
        ...checkpointKey(data.name),
        state: { version: data.version, createdAt: recordedAt, createdBy: principal },
        body: undefined,
      },
    ],
  },
};

function copied(change: ItemChange | undefined): readonly ItemChange[] {
  return change ? [change] : [];
}
