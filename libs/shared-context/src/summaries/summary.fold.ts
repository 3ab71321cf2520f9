import { type EventFolds } from '../event-fold.js';
import { asJson } from '../json.js';
import { authorship } from '../listed-entry.js';
import { summarizedKey, summaryKey } from './summary.item.js';

export const summaryFolds: EventFolds<'SummaryAdded'> = {
  SummaryAdded: {
    touches: ({ data }) => [summaryKey(data.summaryId), summarizedKey],
    fold: (event) => {
      const { summaryId, covers } = event.data;
      const { version } = event;
      return [
        {
          ...summaryKey(summaryId),
          // `countedAs`: the version in the context in which it was written; `covers` has versions of that
          // context.
          state: { ...authorship(event), version, countedAs: version },
          body: asJson(event.data),
        },
        { ...summarizedKey, state: { summaryId, version: covers.to }, body: undefined },
      ];
    },
  },
};
