import { ConfigError, loadConfig } from './config.js';

describe('the configuration', () => {
  it('has a default for every variable, and ignores empty variables', () => {
    expect(loadConfig({ DATABASE_URL: '' })).toEqual({
      host: '127.0.0.1',
      port: 3000,
      allowedHosts: [],
      corsOrigins: [],
      streamsPerKey: 1_000,
      dataDir: './.throughline',
      adminKey: undefined,
      logLevel: 'info',
      poolSize: 10,
      appendTimeoutMs: 10_000,
      runLeaseMs: 30_000,
      runHiddenInputMs: 60_000,
      drainTimeoutMs: 10_000,
      rateLimit: 0,
      workers: 1,
      workerHeapMb: 512,
      views: { maxTokens: 50_000, tokenizer: 'o200k_base', wholeOutputs: 3 },
      trustedExportKeys: [],
      workflowsDir: undefined,
      projector: 'internal',
      projectorPort: undefined,
      databaseUrl: undefined,
      eventStoreUrl: undefined,
      eventStoreNamespace: 'throughline',
      summarizer: undefined,
    });
  });

  it.each([
    ['THROUGHLINE_PORT', 0, 65_535],
    ['THROUGHLINE_POOL_SIZE', 2, 200],
    ['THROUGHLINE_APPEND_TIMEOUT_MS', 100, 60_000],
    ['THROUGHLINE_RUN_LEASE_MS', 100, 3_600_000],
    ['THROUGHLINE_RUN_HIDDEN_INPUT_MS', 100, 86_400_000],
    ['THROUGHLINE_DRAIN_TIMEOUT_MS', 0, 600_000],
    ['THROUGHLINE_RATE_LIMIT', 0, 1_000_000],
    ['THROUGHLINE_STREAMS_PER_KEY', 1, 10_000],
    ['THROUGHLINE_WORKERS', 0, 64],
    ['THROUGHLINE_WORKER_HEAP_MB', 128, 65_536],
    ['THROUGHLINE_VIEW_MAX_TOKENS', 1, 10_000_000],
    ['THROUGHLINE_VIEW_WHOLE_OUTPUTS', 0, 100],
    ['PROJECTOR_PORT', 0, 65_535],
  ])('accepts %s from %i to %i', (name, minimum, maximum) => {
    for (const value of [minimum, maximum]) loadConfig({ [name]: String(value) });
    for (const value of [minimum - 1, maximum + 1])
      expect(() => loadConfig({ [name]: String(value) })).toThrow(
        `${name}: must be a whole number from ${minimum} to ${maximum}`,
      );
  });

  it('accepts the public keys of several servers', () => {
    const keys = ['A'.repeat(43), 'b_'.padEnd(43, '-')];
    const config = loadConfig({ THROUGHLINE_TRUSTED_EXPORT_KEYS: keys.join(',') });
    expect(config.trustedExportKeys).toEqual(keys);
  });

  it('lists all faults, each with the name of its variable and the expected value', () => {
    const load = () =>
      loadConfig({
        THROUGHLINE_PORT: 'many',
        THROUGHLINE_POOL_SIZE: '1.5',
        THROUGHLINE_LOG_LEVEL: 'loud',
        THROUGHLINE_ADMIN_KEY: 'short',
        THROUGHLINE_TRUSTED_EXPORT_KEYS: 'short',
        DATABASE_URL: 'mysql://x',
        EVENTSTORE_URL: 'http://admin:changeit@x:2113',
        EVENTSTORE_NAMESPACE: 'a-b',
        THROUGHLINE_SUMMARIZER: 'llama',
        THROUGHLINE_SUMMARIZER_URL: 'ftp://x',
      });
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(
      [
        'THROUGHLINE_PORT: must be a whole number from 0 to 65535',
        'THROUGHLINE_ADMIN_KEY: must have at least 16 characters',
        'THROUGHLINE_LOG_LEVEL: must be one of trace, debug, info, warn, error, silent',
        'THROUGHLINE_POOL_SIZE: must be a whole number from 2 to 200',
        'THROUGHLINE_TRUSTED_EXPORT_KEYS: must be public keys of 43 characters, separated by commas',
        'DATABASE_URL: must begin with postgres:// or postgresql://',
        'EVENTSTORE_URL: must begin with esdb:// or esdb+discover://',
        'EVENTSTORE_NAMESPACE: must be 1 to 64 letters, digits and underscores',
        'THROUGHLINE_SUMMARIZER: must be off, openai or anthropic',
        'THROUGHLINE_SUMMARIZER_URL: must be an http or https address without user, query and fragment',
      ].join('\n'),
    );
  });
});
