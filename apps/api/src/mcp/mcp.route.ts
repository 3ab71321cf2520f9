import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';

import { type McpServing } from './serve-mcp.js';

export const mcpPath = '/mcp';

/**
 * MCP over streamable HTTP. Its code is loaded by the first request: most servers never get one. Keys, limits, Host and Origin
 * are checked before, as for any path.
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
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      serving ??= open();
      return (await serving).serve(request, reply);
    },
  });
  // Subscriptions would keep the server from stopping.
  fastify.addHook('preClose', async () => (await serving)?.close());
}
