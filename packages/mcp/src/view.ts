import { type Closing } from './answers.js';
import { closingTokens } from './budget.js';
import { type ToolContext } from './tool-context.js';

type ViewBody = Readonly<{
  text: string;
  version: number;
  receipt: string;
  items: readonly Readonly<{ form: string }>[];
}>;

type ViewRequest = Readonly<{
  contextId: string;
  /** Tokens of the answer, including its last line. */
  tokens: number;
  focus?: string | undefined;
  asOf?: string | undefined;
  audience?: string | undefined;
  signal: AbortSignal;
}>;

/** Reads a view. The server has quoted and counted its text, so that it is returned unchanged. */
export async function readView({ client }: ToolContext, request: ViewRequest) {
  const { contextId, tokens, signal, ...query } = request;
  const { body } = await client.request<ViewBody>('GET', `${pathOf(contextId)}/view`, {
    query: { ...query, maxTokens: tokens - closingTokens, overflow: 'minimum' },
    signal,
  });
  const { text, version, receipt, items } = body;
  const shortened = items.filter(({ form }) => form !== 'whole').length;
  const closing: Closing = { version, receipt, next: nextOf(version, shortened) };
  return { text, closing };
}

export function pathOf(contextId: string): string {
  return `/v1/contexts/${encodeURIComponent(contextId)}`;
}

function nextOf(version: number, shortened: number): string {
  const write = `write with expectedVersion ${version} and basedOn this receipt`;
  return shortened === 0 ? write : `context_expand shows ${shortened} shortened entries; ${write}`;
}
