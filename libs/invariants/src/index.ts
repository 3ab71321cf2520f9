export { type History, HistoryFormatError, historyOf, parseHistory } from './history/history.js';
export { type AppendLine, type HistoryLine, historyFormat } from './history/history.schema.js';
export { type InvariantId, type InvariantReport, notChecked } from './invariant-report.js';
export {
  type IdleTransaction,
  checkEffects,
  checkHistoryOrder,
  checkNothingOpen,
  checkProcesses,
} from './invariants/history-invariants.js';
export { LogAudit } from './invariants/log-audit.js';
export {
  type FoldedContext,
  type TableDigest,
  ProjectionRows,
} from './invariants/projection-rows.js';
