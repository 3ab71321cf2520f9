import { Module } from '@nestjs/common';

import { AudiencesModule } from '../audiences/audiences.module.js';
import { LongPollsModule } from '../long-polls/long-polls.module.js';
import { ReadingModule } from '../reading/reading.module.js';
import { CompareContextHandler } from './compare-context.handler.js';
import { ComparedItemsReader } from './compared-items.js';
import { ComparisonRanges } from './comparison-ranges.js';
import { ContextComparison } from './context-comparison.js';
import { DependentItemsReader } from './dependent-items-reader.js';
import { FeedPages } from './feed-pages.js';
import { ListChangesHandler } from './list-changes.handler.js';
import { RangeEvents } from './range-events.js';
import { ReadFeedHandler } from './read-feed.handler.js';
import { TraceEventHandler } from './trace-event.handler.js';

@Module({
  imports: [AudiencesModule, LongPollsModule, ReadingModule],
  providers: [
    ComparedItemsReader,
    ComparisonRanges,
    ContextComparison,
    DependentItemsReader,
    RangeEvents,
    CompareContextHandler,
    ListChangesHandler,
    TraceEventHandler,
    FeedPages,
    ReadFeedHandler,
  ],
  exports: [FeedPages],
})
export class HistoryModule {}
