import { z } from 'zod';

import { inWords } from '#event-sourcing';

import { type SummarizerConfig, findSummarizer } from './summarizer-config.js';
import { wholeNumber } from './whole-number.js';

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

const tokenizers = ['o200k_base', 'cl100k_base', 'chars4'] as const;

const environment = z.object({
  THROUGHLINE_HOST: z.string().min(1).default('127.0.0.1'),
  THROUGHLINE_PORT: wholeNumber(0, 65_535).default(3000),
  THROUGHLINE_DATA_DIR: z.string().min(1).default('./.throughline'),
  THROUGHLINE_ADMIN_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
  THROUGHLINE_LOG_LEVEL: z.enum(levels, `must be one of ${levels.join(', ')}`).default('info'),
  THROUGHLINE_POOL_SIZE: wholeNumber(2, 200).default(10),
  THROUGHLINE_APPEND_TIMEOUT_MS: wholeNumber(100, 60_000).default(10_000),
  THROUGHLINE_RUN_LEASE_MS: wholeNumber(100, 3_600_000).default(30_000),
  THROUGHLINE_RUN_HIDDEN_INPUT_MS: wholeNumber(100, 86_400_000).default(60_000),
  THROUGHLINE_DRAIN_TIMEOUT_MS: wholeNumber(0, 600_000).default(10_000),
  THROUGHLINE_RATE_LIMIT: wholeNumber(0, 1_000_000).default(0),
  THROUGHLINE_STREAMS_PER_KEY: wholeNumber(1, 10_000).default(1_000),
  THROUGHLINE_WORKERS: wholeNumber(0, 64).default(1),
  THROUGHLINE_WORKER_HEAP_MB: wholeNumber(128, 65_536).default(512),
  THROUGHLINE_VIEW_MAX_TOKENS: wholeNumber(1, 10_000_000).default(50_000),
  THROUGHLINE_VIEW_TOKENIZER: z
    .enum(tokenizers, `must be one of ${tokenizers.join(', ')}`)
    .default('o200k_base'),
  THROUGHLINE_VIEW_WHOLE_OUTPUTS: wholeNumber(0, 100).default(3),
  THROUGHLINE_TRUSTED_EXPORT_KEYS: z
    .string()
    .regex(
      /^[A-Za-z0-9_-]{43}(,[A-Za-z0-9_-]{43})*$/,
      'must be public keys of 43 characters, separated by commas',
    )
    .optional(),
  ALLOWED_HOSTS: z
    .string()
    .regex(
      /^(?:\[[\da-fA-F:.]+\]|[\w.-]+)(?:,(?:\[[\da-fA-F:.]+\]|[\w.-]+))*$/,
      'must be host names without ports, separated by commas',
    )
    .optional(),
  CORS_ORIGINS: z
    .string()
    .regex(
      /^https?:\/\/[^/,\s]+(?:,https?:\/\/[^/,\s]+)*$/,
      'must be origins such as https://app.example, separated by commas',
    )
    .optional(),
  WORKFLOWS_DIR: z.string().min(1).optional(),
  PROJECTOR: z.enum(['internal', 'external'], 'must be internal or external').default('internal'),
  PROJECTOR_PORT: wholeNumber(0, 65_535).optional(),
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

/** The configuration of the server, parsed once from the environment variables; no other code reads them. */
export type Config = Readonly<{
  host: string;
  /** 0 selects a free port. */
  port: number;
  dataDir: string;
  adminKey: string | undefined;
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
  poolSize: number;
  appendTimeoutMs: number;
  drainTimeoutMs: number;
  /** The time for which a worker of a run counts as alive after its claim and each heartbeat. */
  runLeaseMs: number;
  /** The time in which other workers can claim an attempt whose input is hidden from the claiming worker. */
  runHiddenInputMs: number;
  /** Requests per minute and key; 0 means no limit. */
  rateLimit: number;
  /** The maximum number of open live streams per key in this process. */
  streamsPerKey: number;
  /** Accepted names in `Host`, in addition to the names of this machine. Empty allows every name, unless `host` is local. Lower case. */
  allowedHosts: readonly string[];
  /** Origins of pages that may call this server from a browser. Lower case. */
  corsOrigins: readonly string[];
  /** The number of worker processes for expensive requests; with 0 they run in the server process. */
  workers: number;
  /** The heap limit of a worker in MiB; a worker that exceeds it ends, and its requests are refused. */
  workerHeapMb: number;
  /** Defaults of views, unless the workspace, the agent or the request sets them. */
  views: Readonly<{
    maxTokens: number;
    tokenizer: (typeof tokenizers)[number];
    wholeOutputs: number;
  }>;
  /** Public keys of other servers whose exports are imported unchanged; base64url. */
  trustedExportKeys: readonly string[];
  /** A directory of workflow definitions that are published in the workspace `default` at the start. */
  workflowsDir: string | undefined;
  /** `external`: separate processes update the read models. */
  projector: 'internal' | 'external';
  /** The port for health and metrics of a separate projector; undefined: none. 0 selects a free port. */
  projectorPort: number | undefined;
  /** Undefined: an embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined;
  /** Undefined: streams are in the database too. Contains a password, so it is neither printed nor logged. */
  eventStoreUrl: string | undefined;
  /** The prefix of the streams of this server in KurrentDB. */
  eventStoreNamespace: string;
  /** Undefined: no summaries are written. Contains a key, so it is neither printed nor logged. */
  summarizer: SummarizerConfig | undefined;
}>;

/** Lists every fault of the environment variables, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const values = withoutEmpty(env);
  const parsed = environment.safeParse(values, inWords);
  const { summarizer, faults } = findSummarizer(values);
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

/** Removes empty variables: `NAME=` in a shell or a compose file means "not set". */
function withoutEmpty(env: Readonly<Record<string, string | undefined>>) {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}
