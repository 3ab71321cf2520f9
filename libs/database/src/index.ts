export { bigintArray, integerArray, textArray, uuidArray } from './binary-array.codec.js';
export { checkServerSettings } from './check-server-settings.js';
export { createDatabase, schemaName } from './create-database.js';
export { createPool, type PoolOptions } from './create-pool.js';
export { databaseName } from './embedded-postgres/connection-string.js';
export { type LaunchedCluster, launchCluster } from './embedded-postgres/launch-cluster.js';
export { findPostgresBinaries } from './embedded-postgres/postgres-binaries.js';
export { findRunningServer } from './embedded-postgres/running-server.js';
export { stopPostmaster } from './embedded-postgres/postmaster-signals.js';
export { chooseServerAccount } from './embedded-postgres/server-account.js';
export { type ServerLog } from './embedded-postgres/server-log.js';
export { type ServerSettings } from './embedded-postgres/server-settings.js';
export {
  type EmbeddedServer,
  startEmbeddedServer,
} from './embedded-postgres/start-embedded-server.js';
export {
  DataDirectoryAccessError,
  DataDirectoryInUseError,
  DataDirectoryVersionError,
  DatabaseFullError,
  DatabaseStartError,
  DatabaseUnavailableError,
  StartupError,
  StorageFullError,
  UnsafeServerError,
} from './errors.js';
export { migrateToLatest } from './migrations/migrate-to-latest.js';
export {
  ChangedMigrationError,
  MigrationChecksumError,
  MigrationFailedError,
  UnknownMigrationError,
} from './migrations/migration.errors.js';
export { type Database } from './tables/database.js';
