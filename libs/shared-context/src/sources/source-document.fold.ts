import { type RecordedOf } from '../context.events.js';
import { type EventFolds } from '../event-fold.js';
import { type ItemLookup } from '../item.js';
import { asJson } from '../json.js';
import { authorship } from '../listed-entry.js';
import { replacedKeys, sourceKey } from './source-document.item.js';

/** The last part of a revision replaces the previous revision. */
export const sourceFolds: EventFolds<'SourceImported'> = {
  SourceImported: {
    touches: ({ data }) => [sourceKey(data), ...replacedKeys(data)],
    fold: (event, current) => [
      {
        ...sourceKey(event.data),
        // `countedAs`: the version in the context into which the document was imported.
        state: {
          version: event.version,
          countedAs: event.version,
          firstVersion: firstVersion(event, current),
          ...authorship(event),
        },
        body: asJson(event.data),
      },
      ...replacedKeys(event.data).map((key) => ({ ...key, removed: true as const })),
    ],
  },
};

/** The version that imported the first revision. */
function firstVersion(
  { data, version }: RecordedOf<'SourceImported'>,
  current: ItemLookup,
): number {
  const [replaced] = replacedKeys(data);
  const before = replaced && current(replaced.kind, replaced.key)?.state['firstVersion'];
  return typeof before === 'number' ? before : version;
}
