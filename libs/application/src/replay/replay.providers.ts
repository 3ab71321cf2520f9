import { ActivityReader } from './activity-reader.js';
import { CompareContextHandler } from './compare-context.handler.js';
import { ComparedItemsReader } from './compared-items.js';
import { ComparisonRanges } from './comparison-ranges.js';
import { ContextComparison } from './context-comparison.js';
import { FeedPages } from './feed-pages.js';
import { DependentItemsReader } from './dependent-items-reader.js';
import { ListChangesHandler } from './list-changes.handler.js';
import { RangeEvents } from './range-events.js';
import { ReadFeedHandler } from './read-feed.handler.js';
import { TraceEventHandler } from './trace-event.handler.js';

export const replay = [
  ActivityReader,
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
];
