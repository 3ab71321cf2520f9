import { readFileSync } from 'node:fs';

import { z } from 'zod';

import { identifier } from '#shared-context';

import { whole } from './whole-number.js';

/** Which model writes summaries, and when. `key` is a secret: neither printed nor logged. */
export type SummarizerConfig = Readonly<{
  protocol: 'openai' | 'anthropic';
  baseUrl: string;
  model: string;
  key: string | undefined;
  thresholdTokens: number;
  timeoutMs: number;
}>;

const secret = /^[\x21-\x7e]{1,4096}$/;
const printable = 'must be characters that can be printed, without spaces';

const environment = z.object({
  THROUGHLINE_SUMMARIZER: z
    .enum(['off', 'openai', 'anthropic'], 'must be off, openai or anthropic')
    .default('off'),
  THROUGHLINE_SUMMARIZER_URL: z
    .string()
    .refine(isBaseUrl, 'must be an http or https address without user, query and fragment')
    .optional(),
  THROUGHLINE_SUMMARIZER_MODEL: identifier.optional(),
  THROUGHLINE_SUMMARIZER_KEY: z.string().regex(secret, printable).optional(),
  THROUGHLINE_SUMMARIZER_KEY_FILE: z.string().optional(),
  THROUGHLINE_SUMMARIZER_THRESHOLD: whole(1_000, 100_000_000).default(50_000),
  THROUGHLINE_SUMMARIZER_TIMEOUT_MS: whole(100, 300_000).default(60_000),
});

type Environment = z.output<typeof environment>;
type Found = Readonly<{ summarizer: SummarizerConfig | undefined; faults: readonly string[] }>;

const usualUrls = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
} as const;

/** What the environment says of summaries: nothing where there are to be none. Every fault, a line each. */
export function findSummarizer(env: Readonly<Record<string, string | undefined>>): Found {
  const parsed = environment.safeParse(env);
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    return { summarizer: undefined, faults: lines };
  }
  const { THROUGHLINE_SUMMARIZER: protocol } = parsed.data;
  return protocol === 'off'
    ? { summarizer: undefined, faults: [] }
    : complete(protocol, parsed.data);
}

function complete(protocol: SummarizerConfig['protocol'], env: Environment): Found {
  const { key, fault } = findKey(protocol, env);
  const model = env.THROUGHLINE_SUMMARIZER_MODEL;
  const faults = [
    ...(model === undefined ? ['THROUGHLINE_SUMMARIZER_MODEL: must name a model'] : []),
    ...(fault === undefined ? [] : [fault]),
  ];
  if (faults.length > 0 || model === undefined) return { summarizer: undefined, faults };
  const baseUrl = (env.THROUGHLINE_SUMMARIZER_URL ?? usualUrls[protocol]).replace(/\/+$/, '');
  const thresholdTokens = env.THROUGHLINE_SUMMARIZER_THRESHOLD;
  const timeoutMs = env.THROUGHLINE_SUMMARIZER_TIMEOUT_MS;
  return { summarizer: { protocol, baseUrl, model, key, thresholdTokens, timeoutMs }, faults };
}

type Key = Readonly<{ key: string | undefined; fault?: string }>;

/** Services that speak as OpenAI does may ask for none. */
function findKey(protocol: SummarizerConfig['protocol'], env: Environment): Key {
  const { THROUGHLINE_SUMMARIZER_KEY: key, THROUGHLINE_SUMMARIZER_KEY_FILE: file } = env;
  if (file !== undefined) return keyIn(file, key);
  if (key !== undefined || protocol === 'openai') return { key };
  return { key, fault: `THROUGHLINE_SUMMARIZER_KEY: must be set for ${protocol}` };
}

function keyIn(file: string, beside: string | undefined): Key {
  const fault = (what: string) => ({
    key: undefined,
    fault: `THROUGHLINE_SUMMARIZER_KEY_FILE: ${what}`,
  });
  if (beside !== undefined) return fault('must not be set beside the key itself');
  try {
    const kept = readFileSync(file, 'utf8').trim();
    return secret.test(kept) ? { key: kept } : fault(`its content ${printable}`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return fault(`cannot be read (${String(error.code)})`);
  }
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
}
