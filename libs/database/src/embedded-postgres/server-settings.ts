/** Later entries take precedence, so that the caller's settings come after these. */
export type ServerSettings = Readonly<Record<string, string | number>>;

/** Durable: an acknowledged commit is on disk. Sized for one application on one machine. */
const standard: ServerSettings = {
  listen_addresses: '127.0.0.1',
  // Socket paths longer than 107 bytes do not work, and data directories may have any path.
  unix_socket_directories: '',
  max_connections: 60,
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  checkpoint_timeout: '10min',
  wal_compression: 'on',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  // Excludes statements and values in error details: the content of contexts must not reach a log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** Arguments of the server; on the command line they also override `postgresql.conf`. */
export function serverArguments(settings: ServerSettings): string[] {
  return Object.entries({ ...standard, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
}
