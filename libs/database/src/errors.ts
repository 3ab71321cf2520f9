/**
 * The reason why a start is refused or the database cannot serve: one sentence that advises the person at the
 * terminal. The program prints only `message` and exits with code 1.
 */
export abstract class StartupError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The database server could not be started or reached. */
export class DatabaseStartError extends StartupError {
  readonly code = 'database-start-failed';
}

/** The disk below the data directory is full. */
export class StorageFullError extends StartupError {
  readonly code = 'storage-full';

  constructor(readonly directory: string) {
    super(
      `The disk that holds ${directory} is full: make room and start again, nothing stored is lost.`,
    );
  }
}

/** Another major version of PostgreSQL created the data directory. */
export class DataDirectoryVersionError extends StartupError {
  readonly code = 'data-directory-version';

  constructor(
    readonly directory: string,
    readonly found: string,
    readonly ours: string,
  ) {
    super(
      `${directory} was made by PostgreSQL ${found} and this one is ${ours}: start the version of Throughline that made it, take a backup there (throughline backup), and restore that into a new data directory with this one (throughline restore).`,
    );
  }
}

/** Another process runs a server on the data directory. */
export class DataDirectoryInUseError extends StartupError {
  readonly code = 'data-directory-in-use';

  constructor(
    readonly directory: string,
    readonly pid: number,
  ) {
    super(
      `The data directory ${directory} is in use by another Throughline (process ${pid}): stop that one, or set THROUGHLINE_DATA_DIR to another directory.`,
    );
  }
}

/** This user cannot create, read or write the data directory. */
export class DataDirectoryAccessError extends StartupError {
  readonly code = 'data-directory-access';

  constructor(
    readonly directory: string,
    cause: Error,
  ) {
    super(
      `The data directory ${directory} cannot be used (${cause.message}): make it writable for this user, or set THROUGHLINE_DATA_DIR to another directory.`,
      { cause },
    );
  }
}

/** The server could lose acknowledged writes by its settings, or cannot be written to. */
export class UnsafeServerError extends StartupError {
  readonly code = 'unsafe-database-server';

  constructor(
    readonly setting: string,
    readonly value: string,
    advice: string,
  ) {
    super(`The database server runs with ${setting}=${value}: ${advice}.`);
  }
}

/** The database did not answer, or not in time; the same statement may be sent again. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';

  constructor(cause: unknown) {
    super(
      `the database does not answer: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

/** The disk of the database is full; reads still work. */
export class DatabaseFullError extends Error {
  override readonly name = 'DatabaseFullError';

  constructor(cause: unknown) {
    super('the disk of the database is full', { cause });
  }
}
