import { type Server } from 'node:http';
import { Readable } from 'node:stream';

import { type Caller, McpEndpoint } from '@throughline/mcp';
import { Throughline } from '@throughline/sdk';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';

import { type Tokenizer, tokenizerOf } from '#context-views';

import { clientSignal } from '../http/connections.js';
import { readBearer, readWorkspace } from '../http/headers.js';
import { ProblemError } from '../problems/problem.error.js';
import { ownAddress } from './own-address.js';

export type McpServing = Readonly<{
  serve: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
  close: () => Promise<void>;
}>;

type Options = Readonly<{ version: string; logger: Logger; server: Server }>;

/** Headers of the connection, which are not copied to the answer. */
const connectionHeaders: ReadonlySet<string> = new Set(['connection', 'keep-alive']);

/** Tools call this server over HTTP with the key of the caller, like any client, so that every check applies to them. */
export function openMcpServing({ version, logger, server }: Options): McpServing {
  let tokenizer: Tokenizer | undefined;
  const endpoint = new McpEndpoint({
    version,
    countTokens: (text) => (tokenizer ??= tokenizerOf('o200k_base')).unitsOf(text),
    report: (error) => logger.debug({ err: error }, 'a request to /mcp was refused'),
  });
  return {
    serve: async (request, reply) => {
      const sent = webRequest(request, clientSignal(reply.raw));
      const answer = await endpoint.fetch(sent, request.body, callerOf(request, server));
      return send(reply, answer);
    },
    close: () => endpoint.close(),
  };
}

function callerOf({ principal, headers }: FastifyRequest, server: Server): Caller {
  const key = readBearer(headers);
  if (!principal || key === undefined) throw new ProblemError('unauthenticated', 'send a key');
  const client = new Throughline({
    url: ownAddress(server),
    key,
    workspace: readWorkspace(headers),
  });
  const { name, keyId, workspace } = principal;
  const holder = keyId === null ? `${name} of ${workspace}` : `key ${keyId}`;
  return { client, principal: { ...principal, principal: name }, holder };
}

function webRequest({ method, headers }: FastifyRequest, signal: AbortSignal): Request {
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
  // The URL is required by Request, but not used.
  return new Request('http://127.0.0.1/mcp', { method, headers: sent, signal });
}

async function send(
  reply: FastifyReply,
  { status, headers, body }: Response,
): Promise<FastifyReply> {
  const forwarded = [...headers].filter(([name]) => !connectionHeaders.has(name));
  reply.code(status).headers(Object.fromEntries(forwarded));
  return body ? reply.send(Readable.fromWeb(body)) : reply.send();
}
