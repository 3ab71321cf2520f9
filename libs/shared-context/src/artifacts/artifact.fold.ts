import { authorOf, happenedAt } from '../context.events.js';
import { basisOf } from '../basis/stale-work.js';
import { type EventFolds } from '../event-fold.js';
import { artifactKey } from '../item-keys.js';
import { type Item } from '../item.js';
import { asJson } from '../json.js';

export const artifactFolds: EventFolds<'ArtifactReferenced'> = {
  ArtifactReferenced: {
    touches: ({ data }) => [artifactKey(data.artifactId)],
    fold: (event, current) => {
      const key = artifactKey(event.data.artifactId);
      const before = current(key.kind, key.key);
      return [
        {
          ...key,
          state: {
            revision: revisionOf(before) + 1,
            firstVersion: before?.state['firstVersion'] ?? event.version,
            agentId: authorOf(event),
            timestamp: happenedAt(event),
            ...basisOf(event),
          },
          body: asJson(event.data),
        },
      ];
    },
  },
};

function revisionOf(item: Item | undefined): number {
  const revision = item?.state['revision'];
  return typeof revision === 'number' ? revision : 0;
}
