export { entriesWithin, prepareTimeline } from './compose/timeline-index.js';
export { type Block, type TalliedBlock, blockTexts } from './compose/group-tallies.js';
export { type ViewSource } from './compose/layout.js';
export { type VersionGroup } from './compose/version-groups.js';
export { childEntry, childEntryKinds, childSection } from './sources/child-entry.js';
export { type Entry, decisionText, wholeText } from './entries/entry.js';
export { handoverSource, retrospectiveSource, reworkSource } from './sources/focus.js';
export { entriesOf, entryOf } from './sources/item-entry.js';
export { parseRef, refOf } from './entries/item-ref.js';
export { omittedByChoice } from './sources/omitted-items.js';
export { IncrementalViewSource } from './sources/incremental-view-source.js';
export { reworkNames } from './entries/rework-subject.js';
export { type Section, sections, timelineKinds, timelineSection } from './entries/section.js';
export { type CurrentStateSection } from './entries/current-state-section.js';
export { currentStateSections } from './entries/current-state-sections.js';
export { newestSummary } from './entries/view-summary.js';
export { type StatusContext } from './entries/item-status.js';
export {
  type Contents,
  partOf,
  sizeOfSource,
  statusAmong,
  viewKinds,
  viewSource,
  viewSourceInSteps,
} from './sources/view-source.js';
export {
  type Facts,
  digestOf,
  factsOf,
  lineOf,
  mergeTallies,
  parseTally,
  rollupOf,
  tallyOf,
} from './digests/index.js';
export { type ReceiptFacts, parseReceiptText, receiptText } from './receipts/receipt-facts.js';
export {
  type ReceiptKind,
  type RendererVersions,
  receiptKinds,
  rendererVersions,
} from './receipts/renderer-versions.js';
export { type NamedValue, type TemplateData, valueIn } from './templates/data.js';
export { templateLimits } from './templates/limits.js';
export { type RenderResult, renderTemplate, renderWithMissing } from './templates/renderer.js';
export { TemplateError } from './templates/template.error.js';
export { parseTemplate } from './templates/template.parser.js';
export { type Template } from './templates/template.js';
export { countOnce } from './tokens/count-once.js';
export {
  type Tokenizer,
  type TokenizerName,
  openTokenizer,
  tokenizerNames,
  tokenizerOf,
} from './tokens/tokenizer.js';
export { type View, type ViewItem, renderView } from './view.js';
