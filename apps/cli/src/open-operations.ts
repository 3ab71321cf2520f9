import { type Environment } from './credentials.js';

/**
 * Returns the operations on the storage that the environment configures. They are loaded lazily: commands over HTTP never
 * load the server's libraries. Throws ConfigError if a variable is invalid.
 */
export async function openOperations(env: Environment) {
  const [operations, { createLogger, loadConfig }] = await Promise.all([
    import('#operations'),
    import('#platform'),
  ]);
  const config = loadConfig({ THROUGHLINE_LOG_LEVEL: 'warn', ...env });
  return { ...operations, config, log: createLogger(config) };
}

export type Operations = Awaited<ReturnType<typeof openOperations>>;
