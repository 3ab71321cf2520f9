/** How a client starts a program. */
export type Launch = Readonly<{ command: string; args: readonly string[] }>;

/**
 * How clients of MCP use the server: Claude Code reads it in `.mcp.json`, Cursor in `.cursor/mcp.json`. The key stays in the
 * environment, as such files are shared.
 */
export function clientConfiguration(url: string, launch: Launch): object {
  const env = { THROUGHLINE_URL: url, THROUGHLINE_KEY: '${THROUGHLINE_KEY}' };
  return { mcpServers: { throughline: { ...launch, env } } };
}

/** The same without a program: the server itself speaks MCP. */
export function remoteConfiguration(url: string): object {
  const headers = { Authorization: 'Bearer ${THROUGHLINE_KEY}' };
  return { mcpServers: { throughline: { type: 'http', url: `${url}/mcp`, headers } } };
}
