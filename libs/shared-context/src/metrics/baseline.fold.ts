import { type EventFolds } from '../event-fold.js';
import { asJson } from '../json.js';
import { authorship } from '../listed-entry.js';
import { baselineKey } from './baseline.item.js';

export const baselineFolds: EventFolds<'BaselineImported'> = {
  BaselineImported: {
    touches: () => [baselineKey],
    fold: (event) => [
      {
        ...baselineKey,
        state: { version: event.version, ...authorship(event) },
        body: asJson(event.data),
      },
    ],
  },
};
