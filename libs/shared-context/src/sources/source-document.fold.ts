import { type RecordedOf } from '../context.events.js';
import { type EventFolds } from '../event-fold.js';
import { type ItemLookup } from '../item.js';
import { asJson } from '../json.js';
import { authorship } from '../listed-entry.js';
import { replacedKeys, sourceKey } from './source-document.item.js';

/** A revision of a document takes the place of the one before as soon as its last part is there. */
export const sourceFolds: EventFolds<'SourceImported'> = {
  SourceImported: {
    touches: ({ data }) => [sourceKey(data), ...replacedKeys(data)],
    fold: (event, current) => [
      {
        ...sourceKey(event.data),
        // `countedAs`: as the version is counted in the context that the document was imported into.
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
