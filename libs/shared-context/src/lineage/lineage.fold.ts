import { type EventFolds } from '../event-fold.js';
import { decisionCounterKey } from '../decisions/decision.item.js';
import { type ItemChange, type ItemKey } from '../item.js';
import { creationKey, life, lifeKey } from '../life/life.fold.js';

export function checkpointKey(name: string): ItemKey {
  return { kind: 'checkpoint', key: name };
}

/**
 * Only the changes that follow from the events themselves. Before folding a fork or a restore, the caller replaces the
 * items by those of the base with {@link rebase}.
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
      ...copyOf(current(decisionCounterKey.kind, decisionCounterKey.key)),
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

function copyOf(change: ItemChange | undefined): readonly ItemChange[] {
  return change ? [change] : [];
}
