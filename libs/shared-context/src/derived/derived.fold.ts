import { authorship } from '../listed-entry.js';
import { type EventFolds } from '../event-fold.js';
import { asJson } from '../json.js';
import { derivedKey } from './derived.item.js';

export const derivedFolds: EventFolds<'ValueDerived'> = {
  ValueDerived: {
    touches: ({ data }) => [derivedKey(data.path)],
    fold: (event) => [
      {
        ...derivedKey(event.data.path),
        state: {
          ...authorship(event),
          transformation: event.data.transformation,
          visibility: event.visibility,
          version: event.version,
          // The version in the context that derived the value; the versions in `from` belong to that context
          // too.
          countedAs: event.version,
        },
        body: asJson(event.data),
      },
    ],
  },
};
