import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
  type Variables,
} from '@modelcontextprotocol/server';
import { isThroughlineError } from '@throughline/sdk';

import { withClosing } from './answers.js';
import { defaultTokens } from './budget.js';
import { readDecisions } from './decisions-text.js';
import { eventText } from './event-text.js';
import { agentsOf } from './principal.js';
import { type Shown } from './resource-text.js';
import { type Site } from './tool-context.js';
import { inbox } from './tools/inbox.tool.js';
import { readView } from './view.js';

/** A part of one context as one audience sees it; what is not of a context cannot be subscribed to. */
export type ContextPart = Readonly<{
  contextId: string;
  audience: string | undefined;
  read: (signal: AbortSignal) => Promise<Shown>;
}>;

const viewUri = /^throughline:\/\/([A-Za-z0-9._-]{1,128})\/view\/([^/]+)$/;
const decisionsUri = /^throughline:\/\/([A-Za-z0-9._-]{1,128})\/decisions$/;
const furtherDecisionsUri =
  /^throughline:\/\/([A-Za-z0-9._-]{1,128})\/decisions\/from\/([^/]{1,4096})$/;
const inboxUri = /^inbox:\/\/([^/]+)$/;
const templates = [
  ['view', 'throughline://{contextId}/view/{audience}', 'A context as an audience sees it'],
  ['decisions', 'throughline://{contextId}/decisions', 'Live decisions'],
  [
    'more-decisions',
    'throughline://{contextId}/decisions/from/{cursor}',
    'Live decisions, further',
  ],
  ['event', 'throughline://{contextId}/events/{version}', 'An event'],
  ['inbox', 'inbox://{agent}', 'What waits for an agent'],
] as const;
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
    read: (signal) => readDecisions(site, { contextId: decided }, signal),
  };
}

export function registerResources(server: McpServer, site: Site): void {
  const read = async (uri: URL, _variables: Variables, { mcpReq }: ServerContext) => ({
    contents: [
      { uri: uri.href, mimeType: mediaType, text: await textOf(site, uri.href, mcpReq.signal) },
    ],
  });
  const list = async ({ mcpReq }: ServerContext) => ({
    resources: await listViews(site, mcpReq.signal),
  });
  const config = { mimeType: mediaType };
  for (const [name, uri, title] of templates) {
    const template = new ResourceTemplate(uri, { list: name === 'view' ? list : undefined });
    server.registerResource(name, template, { ...config, title }, read);
  }
}

/** The same answer for what is not there, for what is hidden and for what has no such name. */
async function textOf(site: Site, uri: string, signal: AbortSignal): Promise<string> {
  const part = contextPart(site, uri);
  try {
    if (part) {
      const { text, closing } = await part.read(signal);
      return withClosing(text, closing);
    }
    return (
      (await furtherDecisions(site, uri, signal)) ??
      (await eventText(site, uri, signal)) ??
      (await inboxText(site, uri, signal))
    );
  } catch (error) {
    if (isThroughlineError(error) && error.status === 404) throw new ResourceNotFoundError(uri);
    throw error;
  }
}

async function furtherDecisions(
  site: Site,
  uri: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [, contextId, encoded = ''] = furtherDecisionsUri.exec(uri) ?? [];
  const cursor = decoded(encoded);
  if (contextId === undefined || cursor === undefined) return undefined;
  try {
    const { text, closing } = await readDecisions(site, { contextId, cursor }, signal);
    return withClosing(text, closing);
  } catch (error) {
    // The server has made no such cursor, so that the URI names nothing.
    if (isThroughlineError(error) && isFault(error.status)) throw new ResourceNotFoundError(uri);
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

/** Whether the request itself is refused, whoever sends it. */
function isFault(status: number | undefined): boolean {
  return status === 400 || status === 422;
}

function decoded(text: string): string | undefined {
  try {
    return text === '' ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
