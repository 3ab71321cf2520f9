import { StartupError } from '../errors.js';

/** The database was migrated by code newer than this. */
export class UnknownMigrationError extends StartupError {
  readonly code = 'database-newer';

  constructor(readonly names: readonly string[]) {
    super(
      `The database was changed by a newer version of Throughline (${names.join(', ')}): start that version, or restore a backup made before it.`,
    );
  }
}

/** What this code calls a migration is not what the database ran under that name. */
export class ChangedMigrationError extends StartupError {
  readonly code = 'migration-changed';

  constructor(readonly names: readonly string[]) {
    super(
      `The database ran another text of ${names.join(', ')} than this version holds: start the version of Throughline that made the database.`,
    );
  }
}

/** A migration without a checksum is not finished. */
export class MigrationChecksumError extends StartupError {
  readonly code = 'migration-without-checksum';

  constructor(readonly migration: string) {
    super(`Migration ${migration} has no checksum yet: run "npm run migrations:checksum".`);
  }
}

/** A migration failed; nothing of it, or of those that ran before it in the same start, remains. */
export class MigrationFailedError extends StartupError {
  readonly code = 'migration-failed';

  constructor(
    readonly migration: string,
    cause: unknown,
  ) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`Migration ${migration} failed and nothing was changed: ${reason}`, { cause });
  }
}
