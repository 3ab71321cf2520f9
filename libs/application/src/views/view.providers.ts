import { ContextSummary } from '../context-summary/context-summary.js';
import { SummaryNote } from '../summaries/summary-note.js';
import { KeptContexts } from './kept-contexts.js';
import { PreviousVersion } from './previous-version.js';
import { ViewDefaults } from './view-defaults.js';
import { ViewExpansion } from './view-expansion.js';
import { ViewFocus } from './view-focus.js';
import { FindViewHandler, FindViewItemHandler } from './view.handlers.js';
import { ViewReader } from './view-reader.js';
import { ViewSources } from './view-sources.js';
import { Views } from './views.js';
import { WholeItemReader } from './whole-item-reader.js';

export const views = [
  Views,
  WholeItemReader,
  ViewDefaults,
  ViewExpansion,
  ViewFocus,
  ViewReader,
  ViewSources,
  KeptContexts,
  ContextSummary,
  PreviousVersion,
  SummaryNote,
  FindViewHandler,
  FindViewItemHandler,
];
