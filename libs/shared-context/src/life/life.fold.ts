import { type RecordedContextEvent, type RecordedOf } from '../context.events.js';
import { type EventFolds } from '../event-fold.js';
import { type Item, type ItemChange, type ItemKey, type ItemLookup } from '../item.js';
import { patcherChanges, patchedKeys } from '../global/global.fold.js';
import { asJson, without } from '../json.js';
import { type StatedOutcome } from './life.events.js';

export const lifeKey: ItemKey = { kind: 'life', key: '' };
export const creationKey: ItemKey = { kind: 'creation', key: '' };

export const lifeFolds: EventFolds<'ContextCreated' | 'ContextClosed' | 'ContextReopened'> = {
  ContextCreated: {
    touches: ({ data }) => [
      lifeKey,
      creationKey,
      ...patchedKeys('global', data.globalContext ?? {}),
      ...patchedKeys('preference', data.preferences ?? {}),
    ],
    fold: (event, current) => [
      life(event, 'open'),
      {
        ...creationKey,
        state: { createdAt: event.recordedAt, createdBy: event.principal },
        body: without(asJson(event.data), ['globalContext', 'preferences']),
      },
      ...Object.entries(event.data.globalContext ?? {}).map(
        ([key, body]) => ({ kind: 'global', key, state: {}, body }) as const,
      ),
      ...Object.entries(event.data.preferences ?? {}).map(
        ([key, body]) => ({ kind: 'preference', key, state: {}, body }) as const,
      ),
      ...patcherChanges('global', event.data.globalContext ?? {}, { event, current }),
      ...patcherChanges('preference', event.data.preferences ?? {}, { event, current }),
    ],
  },
  ContextClosed: {
    touches: () => [lifeKey],
    fold: (event) => [life(event, 'closed', event.data.outcome)],
  },
  ContextReopened: { touches: () => [lifeKey], fold: (event) => [life(event, 'open')] },
};

/** The item with the status of the context, its time and author and, if it was closed with one, the stated outcome. */
export function life(
  { recordedAt, principal }: RecordedContextEvent,
  status: 'open' | 'closed',
  outcome?: StatedOutcome,
): ItemChange {
  return {
    ...lifeKey,
    state: { status, since: recordedAt, by: principal, ...(outcome && { outcome }) },
    body: undefined,
  };
}

/** The outcome with which a context was closed, or `unstated` if it was closed without one; null while it is open. */
export function closingOf(life: Item | undefined): StatedOutcome | 'unstated' | null {
  if (life?.state['status'] !== 'closed') return null;
  // Only the fold above writes the state of this item.
  return (life.state['outcome'] as StatedOutcome | undefined) ?? 'unstated';
}

/** The payload of the creation of a context or, if it is a fork, of its source. */
export type ContextCreation = Partial<RecordedOf<'ContextCreated'>['data']>;

export function creationIn(current: ItemLookup): ContextCreation {
  // Only the folds of creations and forks write the body of this item, and forks copy it.
  return (current(creationKey.kind, creationKey.key)?.body ?? {}) as ContextCreation;
}
