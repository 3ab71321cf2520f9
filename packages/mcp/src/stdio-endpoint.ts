import { type McpRequestContext } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { type Throughline } from '@throughline/sdk';

import { countBytes } from './budget.js';
import { readPrincipal } from './principal.js';
import { createThroughlineMcpServer, type ServerOptions } from './server.js';
import { type ToolContext } from './tool-context.js';
import { checkSubscriptions, StdioSubscriptions } from './stdio-subscriptions.js';

/**
 * Serves one client over standard input and output until its input ends, with the key of `client`. Rejects if the key is
 * unknown or the server does not answer.
 */
export async function serveMcpOnStdio(
  client: Throughline,
  options: Omit<ServerOptions, 'canSubscribe'> & Readonly<{ report?: (error: Error) => void }> = {},
): Promise<void> {
  const principal = await readPrincipal(client);
  const toolContext: ToolContext = {
    client,
    principal,
    countTokens: options.countTokens ?? countBytes,
  };
  const subscriptions = new StdioSubscriptions(toolContext);
  const make = async ({ era }: McpRequestContext) => {
    const serving = { ...options, canSubscribe: true };
    const server = await createThroughlineMcpServer(client, principal, serving);
    subscriptions.attach(server, era);
    return server;
  };
  await new Promise<void>((resolve) => {
    const transport = checkSubscriptions(new StdioServerTransport(), subscriptions, resolve);
    serveStdio(make, { transport, ...(options.report && { onerror: options.report }) });
  });
  subscriptions.end();
}
