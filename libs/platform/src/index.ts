export { auditConfigured } from './audit/audit-configured.js';
export { type StoreAudit, auditStore } from './audit/audit-store.js';
export { BackupFileError } from './backup/backup-format.js';
export { backupConfigured, restoreConfigured } from './backup/backup-configured.js';
export { BrokenChainError, DatabaseNotEmptyError } from './backup/restore-backup.js';
export { copyConfigured } from './copying/copy-configured.js';
export { CopyError, CopyInterruptedError } from './copying/copy-errors.js';
export { type CopyReport } from './copying/copy-log.js';
export { type Config, ConfigError, loadConfig } from './config.js';
export { describeStores } from './describe-stores.js';
export { type Logger, createLogger } from './logger.js';
export { Metrics } from './metrics.js';
export { EventStoreStartError, type OpenEventStore, openEventStore } from './open-event-store.js';
export { PlatformModule } from './platform.module.js';
export { type ProjectorRuntime, openProjectorRuntime } from './projector-runtime.js';
export { WorkflowFilesError, publishWorkflows } from './publish-workflows.js';
export { type Readiness } from './readiness.js';
export { recoverRootKey } from './recover-root-key.js';
export { renewEpoch } from './renew-epoch.js';
export { rootKeyFile } from './root-key.js';
export { type Runtime, openRuntime } from './runtime.js';
export {
  type SharedContextOptions,
  SharedContextModule,
} from './shared-context/shared-context.module.js';
export type { ReadOptions, WriteOptions } from './shared-context/shared-context.options.js';
export { SharedContextService } from './shared-context/shared-context.service.js';
export { WorkflowRunsService } from './shared-context/workflow-runs.service.js';
export { type AgentFunction } from '#application';
export { type ParsedSignal, parseSignals } from '#shared-context';
export { type ChainFinding } from './verify/chain-walk.js';
export { type DatabaseVerdict } from './verify/verify-database.js';
export { verifyConfigured } from './verify/verify-configured.js';
export { migrateStorage } from './storage.js';
