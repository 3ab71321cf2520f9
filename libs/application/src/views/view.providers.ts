import { ContextSummary } from '../context-summary/context-summary.js';
import { SummaryNote } from '../summaries/summary-note.js';
import { PreviousVersion } from './previous-version.js';
import { SnapshotCache } from './snapshot-cache.js';
import { SourcePairs } from './source-pairs.js';
import { ViewDefaults } from './view-defaults.js';
import { FindViewItemHandler, ViewExpansion } from './view-expansion.js';
import { ViewFocus } from './view-focus.js';
import { ViewSourceReader } from './view-source-reader.js';
import { FindViewHandler, Views } from './views.js';
import { WholeItemReader } from './whole-item-reader.js';

export const views = [
  Views,
  WholeItemReader,
  ViewDefaults,
  ViewExpansion,
  ViewFocus,
  ViewSourceReader,
  SnapshotCache,
  SourcePairs,
  ContextSummary,
  PreviousVersion,
  SummaryNote,
  FindViewHandler,
  FindViewItemHandler,
];
