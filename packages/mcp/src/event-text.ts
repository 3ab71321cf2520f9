import { ResourceNotFoundError } from '@modelcontextprotocol/server';

import { withClosing } from './answers.js';
import { closingTokens, defaultTokens, fit } from './budget.js';
import { beginningOf } from './fitting-page.js';
import { fenced } from './quoting.js';
import { type ToolContext } from './tool-context.js';
import { pathOf } from './view.js';

const eventUri = /^throughline:\/\/([A-Za-z0-9._-]{1,128})\/events\/([1-9]\d{0,14})$/;

type VersionedEvent = Readonly<{ version: number }>;

/**
 * Returns the event of a context that a URI names, as `GET .../events` returns it to the key. Undefined if the URI names no event.
 * Throws the same error for a hidden event and for a missing one.
 */
export async function eventText(
  { client, countTokens }: ToolContext,
  uri: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [, contextId, number] = eventUri.exec(uri) ?? [];
  if (contextId === undefined) return undefined;
  const version = Number(number);
  const options = { query: { after: version - 1, limit: 1 }, signal };
  const path = `${pathOf(contextId)}/events`;
  const { body } = await client.request<{ items: readonly VersionedEvent[] }>('GET', path, options);
  const [event] = body.items;
  if (event?.version !== version) throw new ResourceNotFoundError(uri);
  const json = JSON.stringify(event, null, 1);
  const room = defaultTokens - closingTokens;
  const render = (units: number) => (units === 1 ? fenced(json) : '');
  const { taken, text } = await fit({ size: 1, render }, room, countTokens);
  if (taken === 1) return withClosing(text, { version, next: 'context_view' });
  const next = `it is cut: context_view with asOf ${version}, then context_expand, shows what it wrote`;
  return withClosing(await beginningOf(json, room, countTokens), { version, next });
}
