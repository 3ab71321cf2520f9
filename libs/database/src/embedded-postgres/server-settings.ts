/** Later entries win, so a caller's settings come after these. */
export type ServerSettings = Readonly<Record<string, string | number>>;

/** Durable first: an acknowledged commit is on disk. Sized for one application on one machine. */
const standard: ServerSettings = {
  listen_addresses: '127.0.0.1',
  // Socket paths longer than 107 bytes break, and data directories can be anywhere.
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
  // Neither statements nor the values in an error's detail: what contexts hold does not belong in a log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** As arguments of the server; on its command line they also override what someone left in `postgresql.conf`. */
export function serverArguments(settings: ServerSettings): string[] {
  return Object.entries({ ...standard, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
}
