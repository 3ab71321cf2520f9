/** How a client starts a program. */
export type Launch = Readonly<{ command: string; args: readonly string[] }>;

/**
 * Returns the configuration of an MCP client that starts a program: Claude Code reads it from `.mcp.json`, Cursor from
 * `.cursor/mcp.json`. The key stays in the environment, because such files are shared.
 */
export function clientConfiguration(url: string, launch: Launch): object {
  const env = { THROUGHLINE_URL: url, THROUGHLINE_KEY: '${THROUGHLINE_KEY}' };
  return { mcpServers: { throughline: { ...launch, env } } };
}

/** Returns the configuration of an MCP client that connects to the server itself. */
export function remoteConfiguration(url: string): object {
  const headers = { Authorization: 'Bearer ${THROUGHLINE_KEY}' };
  return { mcpServers: { throughline: { type: 'http', url: `${url}/mcp`, headers } } };
}
