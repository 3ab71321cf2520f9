import { SummaryNote } from '../summaries/summary-note.js';
import { PreviousVersion } from './previous-version.js';
import { ViewDefaults } from './view-defaults.js';
import { ViewExpansion } from './view-expansion.js';
import { ViewFocus } from './view-focus.js';
import { FindViewHandler, FindViewItemHandler } from './view.handlers.js';
import { ViewSources } from './view-sources.js';
import { WholeContexts } from './whole-contexts.js';
import { Views } from './views.js';

export const views = [
  Views,
  ViewDefaults,
  ViewExpansion,
  ViewFocus,
  ViewSources,
  WholeContexts,
  PreviousVersion,
  SummaryNote,
  FindViewHandler,
  FindViewItemHandler,
];
