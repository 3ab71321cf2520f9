import { readFileSync } from 'node:fs';

import { z } from 'zod';

import { inWords } from '#event-sourcing';
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

type Environment = Readonly<Record<string, string | undefined>>;
type Protocol = SummarizerConfig['protocol'];
type ReadConfig = Readonly<{ summarizer: SummarizerConfig | undefined; faults: readonly string[] }>;

const usualUrls: Readonly<Record<Protocol, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
};

/** What the environment says of summaries: nothing where there are to be none. Every fault, a line each. */
export function findSummarizer(env: Environment): ReadConfig {
  const { THROUGHLINE_SUMMARIZER: stated } = env;
  const protocol = isProtocol(stated) ? stated : undefined;
  const { data, error } = environment.safeParse(env, inWords);
  const { key, faults: missing } = protocol ? complete(protocol, env) : nothing;
  const issues = error?.issues ?? [];
  const faults = issues.map(({ path, message }) => `${path.join('.')}: ${message}`).concat(missing);
  const isSound = protocol && data && faults.length === 0;
  return { summarizer: isSound ? configured(protocol, data, key) : undefined, faults };
}

function configured(
  protocol: Protocol,
  data: z.output<typeof environment>,
  key: string | undefined,
): SummarizerConfig {
  const { THROUGHLINE_SUMMARIZER_URL: url = usualUrls[protocol] } = data;
  // That it is named was looked at.
  const { THROUGHLINE_SUMMARIZER_MODEL: model = '' } = data;
  const thresholdTokens = data.THROUGHLINE_SUMMARIZER_THRESHOLD;
  const timeoutMs = data.THROUGHLINE_SUMMARIZER_TIMEOUT_MS;
  return { protocol, baseUrl: url.replace(/\/+$/, ''), model, key, thresholdTokens, timeoutMs };
}

function isProtocol(text: string | undefined): text is Protocol {
  return text !== undefined && Object.hasOwn(usualUrls, text);
}

type Key = Readonly<{ key: string | undefined; faults: readonly string[] }>;

const nothing: Key = { key: undefined, faults: [] };

/** What whoever is asked for summaries must be told; others are told what is wrong with what they were told. */
function complete(protocol: Protocol, env: Environment): Key {
  const { key, faults } = findKey(protocol, env);
  const isNamed = env['THROUGHLINE_SUMMARIZER_MODEL'] !== undefined;
  const unnamed = isNamed ? [] : ['THROUGHLINE_SUMMARIZER_MODEL: must name a model'];
  return { key, faults: [...unnamed, ...faults] };
}

/** Services that speak as OpenAI does may ask for none. */
function findKey(protocol: Protocol, env: Environment): Key {
  const { THROUGHLINE_SUMMARIZER_KEY: key, THROUGHLINE_SUMMARIZER_KEY_FILE: file } = env;
  if (file !== undefined) return keyIn(file, key);
  if (key !== undefined || protocol === 'openai') return { key, faults: [] };
  return { key, faults: [`THROUGHLINE_SUMMARIZER_KEY: must be set for ${protocol}`] };
}

function keyIn(file: string, beside: string | undefined): Key {
  const fault = (what: string) => ({
    key: undefined,
    faults: [`THROUGHLINE_SUMMARIZER_KEY_FILE: ${what}`],
  });
  if (beside !== undefined) return fault('must not be set beside the key itself');
  try {
    const kept = readFileSync(file, 'utf8').trim();
    return secret.test(kept) ? { key: kept, faults: [] } : fault(`its content ${printable}`);
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
