import { type EventFolds } from '../event-fold.js';
import { asJson } from '../json.js';
import { authorship } from '../listed-entry.js';
import { sourceKey } from './source-document.item.js';

/** A revision of a document takes the place of the one before. */
export const sourceFolds: EventFolds<'SourceImported'> = {
  SourceImported: {
    touches: ({ data }) => [sourceKey(data)],
    fold: (event, current) => {
      const { kind, key } = sourceKey(event.data);
      const { version } = event;
      const before = current(kind, key)?.state['firstVersion'];
      const firstVersion = typeof before === 'number' ? before : version;
      return [
        {
          ...{ kind, key },
          // `countedAs`: as the version is counted in the context that the document was imported into.
          state: { version, countedAs: version, firstVersion, ...authorship(event) },
          body: asJson(event.data),
        },
      ];
    },
  },
};
