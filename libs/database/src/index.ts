export { bigintArray, integerArray, textArray, uuidArray } from './binary-array.codec.js';
export { checkServerSettings } from './check-server-settings.js';
export { createDatabase } from './create-database.js';
export { createPool } from './create-pool.js';
export { databaseName } from './embedded-postgres/connection-string.js';
export { launchCluster } from './embedded-postgres/launch-cluster.js';
export { findPostgresBinaries } from './embedded-postgres/postgres-binaries.js';
export { findRunningServer } from './embedded-postgres/running-server.js';
export { stopPostmaster } from './embedded-postgres/postmaster-signals.js';
export { chooseServerAccount } from './embedded-postgres/server-account.js';
export { type ServerSettings } from './embedded-postgres/server-settings.js';
export { startEmbeddedServer } from './embedded-postgres/start-embedded-server.js';
export {
  DatabaseFullError,
  DatabaseStartError,
  DatabaseUnavailableError,
  StartupError,
} from './errors.js';
export { migrateToLatest } from './migrations/migrate-to-latest.js';
export { UnknownMigrationError } from './migrations/migration.errors.js';
export { type Database } from './tables/database.js';
