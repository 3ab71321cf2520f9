import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { createThroughlineMcpServer, readPrincipal } from '@throughline/mcp';
import { Throughline } from '@throughline/sdk';

import { tokenizerOf } from '#context-views';

import { type ThroughlineServer } from './throughline-server.js';

const root = join(import.meta.dirname, '..', '..');
const launcher = join(root, 'apps/cli/bin/throughline.mjs');

/** Revisions of the protocol. */
export type Era = '2026-07-28' | '2025-11-25';
export type Door = 'http' | 'stdio';

export type Configuration = Readonly<{
  mcpServers: Readonly<{
    throughline: Readonly<{ command: string; args: string[]; env: Record<string, string> }>;
  }>;
}>;

export type Answer = Readonly<{
  text: string;
  isError: boolean;
  /** Of writes: the same as the text. */
  structured: Readonly<Record<string, unknown>> | undefined;
  tokens: number;
  version: number | undefined;
  receipt: string | undefined;
}>;

/** What an agent has: a client of MCP with the agent's key. */
export class McpAgent {
  private constructor(readonly client: Client) {}

  static async connect(
    { url }: Pick<ServerOf, 'url'>,
    { key, door, era }: Readonly<{ key: string; door: Door; era: Era }>,
  ): Promise<McpAgent> {
    const mode = era === '2026-07-28' ? { pin: era } : ('legacy' as const);
    const client = new Client({ name: 'e2e', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(door === 'http' ? overHttp(url, key) : overStdio(url, key));
    return new McpAgent(client);
  }

  /**
   * With an MCP server in this process, which calls the API of the real one. `fetch` stands between them, to lose answers. For
   * tests that are about neither a transport nor a start.
   */
  static async inProcess(
    { url }: Pick<ServerOf, 'url'>,
    { key, fetch }: Readonly<{ key: string; fetch?: typeof globalThis.fetch }>,
  ): Promise<McpAgent> {
    const throughline = new Throughline({ url, key, fetch });
    const principal = await readPrincipal(throughline);
    const countTokens = (text: string) => tokenizerOf('o200k_base').unitsOf(text);
    const server = await createThroughlineMcpServer(throughline, principal, { countTokens });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'e2e', version: '1' });
    await Promise.all([server.connect(far), client.connect(near)]);
    return new McpAgent(client);
  }

  /** As a client does that reads this configuration, with this environment. */
  static async configured(
    configuration: Configuration,
    environment: Readonly<Record<string, string>>,
  ): Promise<McpAgent> {
    const { command, args, env } = configuration.mcpServers.throughline;
    const filled = Object.entries(env).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{(\w+)\}/g, (_whole, variable: string) => environment[variable] ?? ''),
    ]);
    const PATH = environment['PATH'] ?? process.env['PATH'] ?? '';
    const client = new Client({ name: 'e2e', version: '1' });
    await client.connect(
      new StdioClientTransport({ command, args, env: { PATH, ...Object.fromEntries(filled) } }),
    );
    return new McpAgent(client);
  }

  async call(name: string, given: Record<string, unknown> = {}): Promise<Answer> {
    const result = await this.client.callTool({ name, arguments: given });
    const content = result.content as readonly Readonly<{ type: string; text: string }>[];
    const text = content.map((block) => block.text).join('');
    const closing = /version (\d+|-) · receipt (\S+) · next: \S.*$/.exec(text);
    const structured = result.structuredContent as Answer['structured'];
    return {
      text,
      structured,
      isError: result.isError === true,
      tokens: tokensOf(text),
      version: numberOf(structured?.['version'] ?? closing?.[1]),
      receipt: closing?.[2] === '-' ? undefined : closing?.[2],
    };
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** The configuration that a page shows first, for a server that runs elsewhere. */
export async function configurationOf(page: string, { url }: ServerOf): Promise<Configuration> {
  const [, snippet = ''] =
    /```json\n([\s\S]*?)```/.exec(await readFile(join(root, page), 'utf8')) ?? [];
  return JSON.parse(snippet.replaceAll('http://127.0.0.1:3000', url));
}

/** A `PATH` on which `throughline` is found, as it is once it is installed, and a function that ends it. */
export async function installedPath(): Promise<
  Readonly<{ PATH: string; remove: () => Promise<void> }>
> {
  const directory = await mkdtemp(join(tmpdir(), 'throughline-bin-'));
  await symlink(launcher, join(directory, 'throughline'));
  const PATH = [directory, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
  return { PATH, remove: () => rm(directory, { recursive: true, force: true }) };
}

type ServerOf = Readonly<Pick<ThroughlineServer, 'url'>>;

export function tokensOf(text: string): number {
  return tokenizerOf('o200k_base').unitsOf(text);
}

function numberOf(value: unknown): number | undefined {
  return value === undefined || value === '-' ? undefined : Number(value);
}

function overHttp(url: string, key: string) {
  const headers = { Authorization: `Bearer ${key}` };
  return new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } });
}

function overStdio(url: string, key: string) {
  const env = { PATH: process.env['PATH'] ?? '', THROUGHLINE_URL: url, THROUGHLINE_KEY: key };
  return new StdioClientTransport({ command: process.execPath, args: [launcher, 'mcp'], env });
}
