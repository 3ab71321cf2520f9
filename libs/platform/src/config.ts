import { z } from 'zod';

import { inWords } from '#event-sourcing';

import { type SummarizerConfig, findSummarizer } from './summarizer-config.js';
import { whole } from './whole-number.js';

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

const tokenizers = ['o200k_base', 'cl100k_base', 'chars4'] as const;

const environment = z.object({
  THROUGHLINE_HOST: z.string().min(1).default('127.0.0.1'),
  THROUGHLINE_PORT: whole(0, 65_535).default(3000),
  THROUGHLINE_DATA_DIR: z.string().min(1).default('./.throughline'),
  THROUGHLINE_ADMIN_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
  THROUGHLINE_LOG_LEVEL: z.enum(levels, `must be one of ${levels.join(', ')}`).default('info'),
  THROUGHLINE_POOL_SIZE: whole(2, 200).default(10),
  THROUGHLINE_APPEND_TIMEOUT_MS: whole(100, 60_000).default(10_000),
  THROUGHLINE_RUN_LEASE_MS: whole(100, 3_600_000).default(30_000),
  THROUGHLINE_RUN_HIDDEN_INPUT_MS: whole(100, 86_400_000).default(60_000),
  THROUGHLINE_DRAIN_TIMEOUT_MS: whole(0, 600_000).default(10_000),
  THROUGHLINE_RATE_LIMIT: whole(0, 1_000_000).default(0),
  THROUGHLINE_STREAMS_PER_KEY: whole(1, 10_000).default(1_000),
  THROUGHLINE_WORKERS: whole(0, 64).default(1),
  THROUGHLINE_WORKER_HEAP_MB: whole(128, 65_536).default(512),
  THROUGHLINE_VIEW_MAX_TOKENS: whole(1, 10_000_000).default(50_000),
  THROUGHLINE_VIEW_TOKENIZER: z
    .enum(tokenizers, `must be one of ${tokenizers.join(', ')}`)
    .default('o200k_base'),
  THROUGHLINE_VIEW_WHOLE_OUTPUTS: whole(0, 100).default(3),
  THROUGHLINE_TRUSTED_EXPORT_KEYS: z
    .string()
    .regex(
      /^[A-Za-z0-9_-]{43}(,[A-Za-z0-9_-]{43})*$/,
      'must be public keys of 43 characters with commas between them',
    )
    .optional(),
  ALLOWED_HOSTS: z
    .string()
    .regex(
      /^(?:\[[\da-fA-F:.]+\]|[\w.-]+)(?:,(?:\[[\da-fA-F:.]+\]|[\w.-]+))*$/,
      'must be names of hosts with commas between them, without ports',
    )
    .optional(),
  CORS_ORIGINS: z
    .string()
    .regex(
      /^https?:\/\/[^/,\s]+(?:,https?:\/\/[^/,\s]+)*$/,
      'must be origins such as https://app.example with commas between them',
    )
    .optional(),
  WORKFLOWS_DIR: z.string().min(1).optional(),
  PROJECTOR: z.enum(['internal', 'external'], 'must be internal or external').default('internal'),
  PROJECTOR_PORT: whole(0, 65_535).optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
    .optional(),
  EVENTSTORE_URL: z
    .string()
    .regex(/^esdb(\+discover)?:\/\//, 'must begin with esdb:// or esdb+discover://')
    .optional(),
  EVENTSTORE_NAMESPACE: z
    .string()
    .regex(/^[A-Za-z0-9_]{1,64}$/, 'must be 1 to 64 letters, digits and underscores')
    .default('throughline'),
});

/** The configuration of the server from its environment, parsed once; nothing else reads `process.env`. */
export type Config = Readonly<{
  host: string;
  /** 0 takes a free port. */
  port: number;
  dataDir: string;
  adminKey: string | undefined;
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
  poolSize: number;
  appendTimeoutMs: number;
  drainTimeoutMs: number;
  /** For how long a worker of a run is taken to be alive behind its claim and each heartbeat. */
  runLeaseMs: number;
  /** For how long an attempt is left to others that needs what a worker does not see. */
  runHiddenInputMs: number;
  /** Requests a minute and key; 0 is no limit. */
  rateLimit: number;
  /** How many live streams one key may have open in this process. */
  streamsPerKey: number;
  /** Names in `Host` that are taken beside those of this machine; empty: any, unless `host` is one of this machine alone. Lower case. */
  allowedHosts: readonly string[];
  /** Origins whose pages may call this server from a browser. Lower case. */
  corsOrigins: readonly string[];
  /** Processes for requests that cost as much as a large context has; 0: they are answered beside all others. */
  workers: number;
  /** What one of them may take of memory; beyond that it is ended, and the request is refused. */
  workerHeapMb: number;
  /** What views are where no workspace, agent or request says otherwise. */
  views: Readonly<{
    maxTokens: number;
    tokenizer: (typeof tokenizers)[number];
    wholeOutputs: number;
  }>;
  /** Public keys of other servers whose exports are imported as they are; base64url. */
  trustedExportKeys: readonly string[];
  /** A directory of definitions of workflows that are published in the workspace `default` at the start; undefined: none. */
  workflowsDir: string | undefined;
  /** `external`: the read models are kept by processes of their own. */
  projector: 'internal' | 'external';
  /** Where a projector of its own serves health and metrics; undefined: nowhere. 0 takes a free port. */
  projectorPort: number | undefined;
  /** Undefined: an embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined;
  /** Undefined: streams are in the database too. Holds a password: neither printed nor logged. */
  eventStoreUrl: string | undefined;
  /** Sets our streams in KurrentDB apart from others. */
  eventStoreNamespace: string;
  /** Undefined: nobody writes summaries. Holds a key: neither printed nor logged. */
  summarizer: SummarizerConfig | undefined;
}>;

/** Lists every fault of the environment, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const stated = withoutEmpty(env);
  const parsed = environment.safeParse(stated, inWords);
  const { summarizer, faults } = findSummarizer(stated);
  const issues = parsed.error?.issues ?? [];
  const lines = issues.map(({ path, message }) => `${path.join('.')}: ${message}`).concat(faults);
  if (!parsed.success || lines.length > 0) throw new ConfigError(lines.join('\n'));
  const { data } = parsed;
  return Object.freeze({
    host: data.THROUGHLINE_HOST,
    port: data.THROUGHLINE_PORT,
    dataDir: data.THROUGHLINE_DATA_DIR,
    adminKey: data.THROUGHLINE_ADMIN_KEY,
    logLevel: data.THROUGHLINE_LOG_LEVEL,
    poolSize: data.THROUGHLINE_POOL_SIZE,
    appendTimeoutMs: data.THROUGHLINE_APPEND_TIMEOUT_MS,
    drainTimeoutMs: data.THROUGHLINE_DRAIN_TIMEOUT_MS,
    runLeaseMs: data.THROUGHLINE_RUN_LEASE_MS,
    runHiddenInputMs: data.THROUGHLINE_RUN_HIDDEN_INPUT_MS,
    rateLimit: data.THROUGHLINE_RATE_LIMIT,
    streamsPerKey: data.THROUGHLINE_STREAMS_PER_KEY,
    allowedHosts: namesIn(data.ALLOWED_HOSTS),
    corsOrigins: namesIn(data.CORS_ORIGINS),
    workers: data.THROUGHLINE_WORKERS,
    workerHeapMb: data.THROUGHLINE_WORKER_HEAP_MB,
    views: {
      maxTokens: data.THROUGHLINE_VIEW_MAX_TOKENS,
      tokenizer: data.THROUGHLINE_VIEW_TOKENIZER,
      wholeOutputs: data.THROUGHLINE_VIEW_WHOLE_OUTPUTS,
    },
    trustedExportKeys: data.THROUGHLINE_TRUSTED_EXPORT_KEYS?.split(',') ?? [],
    workflowsDir: data.WORKFLOWS_DIR,
    projector: data.PROJECTOR,
    projectorPort: data.PROJECTOR_PORT,
    databaseUrl: data.DATABASE_URL,
    eventStoreUrl: data.EVENTSTORE_URL,
    eventStoreNamespace: data.EVENTSTORE_NAMESPACE,
    summarizer,
  });
}

function namesIn(list = ''): readonly string[] {
  return list.toLowerCase().split(',').filter(Boolean);
}

/** `NAME=` in a shell or a compose file means "not set". */
function withoutEmpty(env: Readonly<Record<string, string | undefined>>) {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}
