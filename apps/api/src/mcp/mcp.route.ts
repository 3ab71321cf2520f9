import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';

import { invalidInput } from '../problems/problem.error.js';
import { type McpServing } from './serve-mcp.js';

/** Of parameters that are refused. */
const maxNamed = 100;

const mcpPath = '/mcp';

/** Other routes refuse unknown parameters by their schemas. One may be a key, or the name of an agent to act as. */
async function refuseParameters({ query }: FastifyRequest): Promise<void> {
  const names = Object.keys(query ?? {});
  if (names.length === 0) return;
  throw invalidInput(
    names.slice(0, maxNamed).map((name) => ({ pointer: `/${name}`, detail: 'is not known here' })),
  );
}

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
    preHandler: refuseParameters,
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      serving ??= open();
      return (await serving).serve(request, reply);
    },
  });
  // Subscriptions would keep the server from stopping.
  fastify.addHook('preClose', async () => (await serving)?.close());
}
