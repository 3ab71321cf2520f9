import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';

import { invalidInput } from '../problems/problem.error.js';
import { type McpServing } from './serve-mcp.js';

/** The maximum number of refused parameters that are listed. */
const maxListed = 100;

const mcpPath = '/mcp';

/** This route has no schema that refuses unknown parameters. A parameter may be a key, or the name of an agent to act for. */
async function refuseParameters({ query }: FastifyRequest): Promise<void> {
  const names = Object.keys(query ?? {});
  if (names.length === 0) return;
  throw invalidInput(
    names.slice(0, maxListed).map((name) => ({ pointer: `/${name}`, detail: 'is not known here' })),
  );
}

/**
 * MCP over streamable HTTP. The first request loads the code, because most servers never get one. Key, rate limit, Host and Origin
 * are checked before, as for every path.
 */
export function addMcpRoute(
  fastify: FastifyInstance,
  options: Readonly<{ version: string; logger: Logger }>,
): void {
  let serving: Promise<McpServing> | undefined;
  const open = async (): Promise<McpServing> => {
    const { openMcpServing } = await import('./serve-mcp.js');
    return openMcpServing({ ...options, server: fastify.server });
  };
  fastify.route({
    method: ['GET', 'POST', 'DELETE'],
    url: mcpPath,
    exposeHeadRoute: false,
    preHandler: refuseParameters,
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      serving ??= open();
      return (await serving).serve(request, reply);
    },
  });
  // Open subscriptions would prevent the server from stopping.
  fastify.addHook('preClose', async () => (await serving)?.close());
}
