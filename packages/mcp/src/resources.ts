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
import { type ResourceText } from './resource-text.js';
import { type ToolContext } from './tool-context.js';
import { inbox } from './tools/inbox.tool.js';
import { readView } from './view.js';

/** A part of one context as one audience sees it. Only such parts can be subscribed to. */
export type ContextPart = Readonly<{
  contextId: string;
  audience: string | undefined;
  read: (signal: AbortSignal) => Promise<ResourceText>;
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
  ['inbox', 'inbox://{agent}', 'Open work of an agent'],
] as const;
const mediaType = 'text/markdown';
const listed = 20;

/** Returns the part that a URI names, if the key may read for its audience; undefined for any other URI. */
export function contextPart(toolContext: ToolContext, uri: string): ContextPart | undefined {
  const [, viewed, encoded = ''] = viewUri.exec(uri) ?? [];
  const audience = decoded(encoded);
  if (
    viewed !== undefined &&
    audience !== undefined &&
    toolContext.principal.audiences.includes(audience)
  ) {
    const request = { contextId: viewed, audience, tokens: defaultTokens };
    return {
      contextId: viewed,
      audience,
      read: (signal) => readView(toolContext, { ...request, signal }),
    };
  }
  const [, decided] = decisionsUri.exec(uri) ?? [];
  if (decided === undefined) return undefined;
  return {
    contextId: decided,
    audience: undefined,
    read: (signal) => readDecisions(toolContext, { contextId: decided }, signal),
  };
}

export function registerResources(server: McpServer, toolContext: ToolContext): void {
  const read = async (uri: URL, _variables: Variables, { mcpReq }: ServerContext) => ({
    contents: [
      {
        uri: uri.href,
        mimeType: mediaType,
        text: await textOf(toolContext, uri.href, mcpReq.signal),
      },
    ],
  });
  const list = async ({ mcpReq }: ServerContext) => ({
    resources: await listViews(toolContext, mcpReq.signal),
  });
  const config = { mimeType: mediaType };
  for (const [name, uri, title] of templates) {
    const template = new ResourceTemplate(uri, { list: name === 'view' ? list : undefined });
    server.registerResource(name, template, { ...config, title }, read);
  }
}

/** Throws the same error for missing, hidden and malformed resources. */
async function textOf(toolContext: ToolContext, uri: string, signal: AbortSignal): Promise<string> {
  const part = contextPart(toolContext, uri);
  try {
    if (part) {
      const { text, closing } = await part.read(signal);
      return withClosing(text, closing);
    }
    return (
      (await furtherDecisions(toolContext, uri, signal)) ??
      (await eventText(toolContext, uri, signal)) ??
      (await inboxText(toolContext, uri, signal))
    );
  } catch (error) {
    if (isThroughlineError(error) && error.status === 404) throw new ResourceNotFoundError(uri);
    throw error;
  }
}

async function furtherDecisions(
  toolContext: ToolContext,
  uri: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [, contextId, encoded = ''] = furtherDecisionsUri.exec(uri) ?? [];
  const cursor = decoded(encoded);
  if (contextId === undefined || cursor === undefined) return undefined;
  try {
    const { text, closing } = await readDecisions(toolContext, { contextId, cursor }, signal);
    return withClosing(text, closing);
  } catch (error) {
    // The server did not create this cursor, so the URI names no resource.
    if (isThroughlineError(error) && isFault(error.status)) throw new ResourceNotFoundError(uri);
    throw error;
  }
}

async function inboxText(
  toolContext: ToolContext,
  uri: string,
  signal: AbortSignal,
): Promise<string> {
  const agent = decoded(inboxUri.exec(uri)?.[1] ?? '');
  const agents = agentsOf(toolContext.principal);
  if (agent === undefined || !agents.includes(agent)) throw new ResourceNotFoundError(uri);
  const input = agents.length > 1 ? { agent } : {};
  const { content } = await inbox(toolContext).run(input, { signal });
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

async function listViews({ client, principal }: ToolContext, signal: AbortSignal) {
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

/** Whether the request is invalid for every key. */
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
