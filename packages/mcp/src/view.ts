import { type Closing } from './answers.js';
import { closingTokens } from './budget.js';
import { type Site } from './tool-context.js';

type ViewBody = Readonly<{
  text: string;
  version: number;
  receipt: string;
  items: readonly Readonly<{ form: string }>[];
}>;

type ViewWish = Readonly<{
  contextId: string;
  /** Of the answer, the last lines included. */
  tokens: number;
  focus?: string | undefined;
  asOf?: string | undefined;
  audience?: string | undefined;
  signal: AbortSignal;
}>;

/** A view as the server renders it: quoted and counted there, so that it is shown as it is. */
export async function readView({ client }: Site, wish: ViewWish) {
  const { contextId, tokens, signal, ...query } = wish;
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
