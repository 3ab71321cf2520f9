import { readFileSync } from 'node:fs';

import { z } from 'zod';

import { inWords } from '#event-sourcing';
import { identifier } from '#shared-context';

import { wholeNumber } from './whole-number.js';

/** The model that writes summaries, and the threshold. `key` is a secret, neither printed nor logged. */
export type SummarizerConfig = Readonly<{
  protocol: 'openai' | 'anthropic';
  baseUrl: string;
  model: string;
  key: string | undefined;
  thresholdTokens: number;
  timeoutMs: number;
}>;

const secret = /^[\x21-\x7e]{1,4096}$/;
const printable = 'must consist of printable characters without spaces';

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
  THROUGHLINE_SUMMARIZER_THRESHOLD: wholeNumber(1_000, 100_000_000).default(50_000),
  THROUGHLINE_SUMMARIZER_TIMEOUT_MS: wholeNumber(100, 300_000).default(60_000),
});

type Environment = Readonly<Record<string, string | undefined>>;
type Protocol = SummarizerConfig['protocol'];
type SummarizerResult = Readonly<{
  summarizer: SummarizerConfig | undefined;
  faults: readonly string[];
}>;

const defaultUrls: Readonly<Record<Protocol, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
};

/** Parses the environment variables of the summarizer; undefined if it is off. Returns every fault as a line. */
export function findSummarizer(env: Environment): SummarizerResult {
  const { THROUGHLINE_SUMMARIZER: name } = env;
  const protocol = isProtocol(name) ? name : undefined;
  const { data, error } = environment.safeParse(env, inWords);
  const { key, faults: missing } = protocol ? checkRequired(protocol, env) : nothing;
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
  const { THROUGHLINE_SUMMARIZER_URL: url = defaultUrls[protocol] } = data;
  // `checkRequired` has checked that the model is set.
  const { THROUGHLINE_SUMMARIZER_MODEL: model = '' } = data;
  const thresholdTokens = data.THROUGHLINE_SUMMARIZER_THRESHOLD;
  const timeoutMs = data.THROUGHLINE_SUMMARIZER_TIMEOUT_MS;
  return { protocol, baseUrl: url.replace(/\/+$/, ''), model, key, thresholdTokens, timeoutMs };
}

function isProtocol(text: string | undefined): text is Protocol {
  return text !== undefined && Object.hasOwn(defaultUrls, text);
}

type Key = Readonly<{ key: string | undefined; faults: readonly string[] }>;

const nothing: Key = { key: undefined, faults: [] };

/** Checks the variables that an enabled summarizer requires: the model, and the key. */
function checkRequired(protocol: Protocol, env: Environment): Key {
  const { key, faults } = findKey(protocol, env);
  const isNamed = env['THROUGHLINE_SUMMARIZER_MODEL'] !== undefined;
  const unnamed = isNamed ? [] : ['THROUGHLINE_SUMMARIZER_MODEL: must be the name of a model'];
  return { key, faults: [...unnamed, ...faults] };
}

/** Services with the OpenAI protocol may need no key. */
function findKey(protocol: Protocol, env: Environment): Key {
  const { THROUGHLINE_SUMMARIZER_KEY: key, THROUGHLINE_SUMMARIZER_KEY_FILE: file } = env;
  if (file !== undefined) return keyIn(file, key);
  if (key !== undefined || protocol === 'openai') return { key, faults: [] };
  return { key, faults: [`THROUGHLINE_SUMMARIZER_KEY: must be set for ${protocol}`] };
}

function keyIn(file: string, key: string | undefined): Key {
  const fault = (what: string) => ({
    key: undefined,
    faults: [`THROUGHLINE_SUMMARIZER_KEY_FILE: ${what}`],
  });
  if (key !== undefined) return fault('must not be set together with the key itself');
  try {
    const text = readFileSync(file, 'utf8').trim();
    return secret.test(text) ? { key: text, faults: [] } : fault(`its content ${printable}`);
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
