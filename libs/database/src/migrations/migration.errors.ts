import { StartupError } from '../errors.js';

/** Newer code has migrated the database. */
export class UnknownMigrationError extends StartupError {
  readonly code = 'database-newer';

  constructor(readonly names: readonly string[]) {
    super(
      `The database was changed by a newer version of Throughline (${names.join(', ')}): start that version, or restore a backup made before it.`,
    );
  }
}

/** The text of a migration differs from the text that the database ran under that name. */
export class ChangedMigrationError extends StartupError {
  readonly code = 'migration-changed';

  constructor(readonly names: readonly string[]) {
    super(
      `The database ran another text of ${names.join(', ')} than this version has: start the version of Throughline that created the database.`,
    );
  }
}

/** The migration has no checksum, so that it is not final. */
export class MigrationChecksumError extends StartupError {
  readonly code = 'migration-without-checksum';

  constructor(readonly migration: string) {
    super(`Migration ${migration} has no checksum yet: run "npm run migrations:checksum".`);
  }
}

/** A migration failed; the changes of all migrations of the same start were rolled back. */
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
