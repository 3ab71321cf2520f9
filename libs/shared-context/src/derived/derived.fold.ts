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
          // As it was counted where it was derived, which is what the versions in `from` are counted by.
          countedAs: event.version,
        },
        body: asJson(event.data),
      },
    ],
  },
};
