import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
  type Variables,
} from '@modelcontextprotocol/server';
import { isThroughlineError } from '@throughline/sdk';

import { type Closing, withClosing } from './answers.js';
import { closingTokens, defaultTokens, fit } from './budget.js';
import { agentsOf } from './principal.js';
import { fenced } from './quoting.js';
import { type Site } from './site.js';
import { inbox } from './tools/inbox.tool.js';
import { pathOf, readView } from './view.js';

export type Shown = Readonly<{ text: string; closing: Closing }>;

/** A part of one context as one audience sees it; what is not of a context cannot be subscribed to. */
export type ContextPart = Readonly<{
  contextId: string;
  audience: string | undefined;
  read: (signal: AbortSignal) => Promise<Shown>;
}>;

const viewUri = /^throughline:\/\/([A-Za-z0-9._-]{1,128})\/view\/([^/]+)$/;
const decisionsUri = /^throughline:\/\/([A-Za-z0-9._-]{1,128})\/decisions$/;
const inboxUri = /^inbox:\/\/([^/]+)$/;
const mediaType = 'text/markdown';
const listed = 20;

/** What a URI stands for, if the key may read for its audience; undefined for any other URI. */
export function contextPart(site: Site, uri: string): ContextPart | undefined {
  const [, viewed, encoded = ''] = viewUri.exec(uri) ?? [];
  const audience = decoded(encoded);
  if (
    viewed !== undefined &&
    audience !== undefined &&
    site.principal.audiences.includes(audience)
  ) {
    const wish = { contextId: viewed, audience, tokens: defaultTokens };
    return { contextId: viewed, audience, read: (signal) => readView(site, { ...wish, signal }) };
  }
  const [, decided] = decisionsUri.exec(uri) ?? [];
  if (decided === undefined) return undefined;
  return {
    contextId: decided,
    audience: undefined,
    read: (signal) => readDecisions(site, decided, signal),
  };
}

export function registerResources(server: McpServer, site: Site): void {
  const read = async (uri: URL, _variables: Variables, { mcpReq }: ServerContext) => ({
    contents: [
      { uri: uri.href, mimeType: mediaType, text: await textOf(site, uri.href, mcpReq.signal) },
    ],
  });
  const views = new ResourceTemplate('throughline://{contextId}/view/{audience}', {
    list: async ({ mcpReq }) => ({ resources: await listViews(site, mcpReq.signal) }),
  });
  const config = { mimeType: mediaType };
  server.registerResource(
    'view',
    views,
    { ...config, title: 'A context as an audience sees it' },
    read,
  );
  const decisions = new ResourceTemplate('throughline://{contextId}/decisions', {
    list: undefined,
  });
  server.registerResource('decisions', decisions, { ...config, title: 'Live decisions' }, read);
  const box = new ResourceTemplate('inbox://{agent}', { list: undefined });
  server.registerResource('inbox', box, { ...config, title: 'What waits for an agent' }, read);
}

/** The same answer for what is not there, for what is hidden and for what has no such name. */
async function textOf(site: Site, uri: string, signal: AbortSignal): Promise<string> {
  const part = contextPart(site, uri);
  try {
    if (part) {
      const { text, closing } = await part.read(signal);
      return withClosing(text, closing);
    }
    return await inboxText(site, uri, signal);
  } catch (error) {
    if (isThroughlineError(error) && error.status === 404) throw new ResourceNotFoundError(uri);
    throw error;
  }
}

async function inboxText(site: Site, uri: string, signal: AbortSignal): Promise<string> {
  const agent = decoded(inboxUri.exec(uri)?.[1] ?? '');
  const agents = agentsOf(site.principal);
  if (agent === undefined || !agents.includes(agent)) throw new ResourceNotFoundError(uri);
  const given = agents.length > 1 ? { agent } : {};
  const { content } = await inbox(site).run(given, { signal });
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

async function listViews({ client, principal }: Site, signal: AbortSignal) {
  const audience = principal.audiences[0] ?? 'all';
  const query = { limit: listed };
  const { body } = await client.request<{ items: { contextId: string }[] }>('GET', '/v1/contexts', {
    query,
    signal,
  });
  return body.items.map(({ contextId }) => ({
    uri: `throughline://${contextId}/view/${encodeURIComponent(audience)}`,
    name: contextId,
    mimeType: mediaType,
  }));
}

type Decision = Readonly<{
  decisionId: string;
  topic?: string;
  decision: string;
  rationale?: string;
}>;

async function readDecisions(
  { client, countTokens }: Site,
  contextId: string,
  signal: AbortSignal,
) {
  const query = { live: true, limit: 200 };
  const path = `${pathOf(contextId)}/decisions`;
  const { body, etag } = await client.request<{ items: Decision[] }>('GET', path, {
    query,
    signal,
  });
  const lines = body.items.map(({ decisionId, topic, decision, rationale }) =>
    JSON.stringify({ decisionId, topic, decision, rationale }),
  );
  const render = (units: number) => fenced(lines.slice(0, units).join('\n'));
  const { text } = await fit(
    { size: lines.length, render },
    defaultTokens - closingTokens,
    countTokens,
  );
  const version = Number(/\d+/.exec(etag ?? '')?.[0]);
  const shown = lines.length === 0 ? 'No decision is live.' : text;
  return { text: shown, closing: { version, next: 'context_view' } };
}

function decoded(text: string): string | undefined {
  try {
    return text === '' ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
