export { createDatabase, schemaName } from './create-database.js';
export { createPool, type PoolOptions } from './create-pool.js';
export {
  DataDirectoryVersionError,
  DatabaseStartError,
  StartupError,
  StorageFullError,
} from './errors.js';
export { type LaunchedCluster, launchCluster } from './embedded-postgres/launch-cluster.js';
export { type ServerSettings } from './embedded-postgres/server-settings.js';
export { stopPostmaster } from './embedded-postgres/postmaster-signals.js';
export { type Database } from './tables/database.js';
export { migrateToLatest } from './migrations/migrate-to-latest.js';
export {
  ChangedMigrationError,
  MigrationChecksumError,
  MigrationFailedError,
  UnknownMigrationError,
} from './migrations/migration.errors.js';
