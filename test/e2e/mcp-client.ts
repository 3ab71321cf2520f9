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
export type Transport = 'http' | 'stdio';

export type Configuration = Readonly<{
  mcpServers: Readonly<{
    throughline: Readonly<{ command: string; args: string[]; env: Record<string, string> }>;
  }>;
}>;

export type Answer = Readonly<{
  text: string;
  isError: boolean;
  /** For writes: the same content as the text. */
  structured: Readonly<Record<string, unknown>> | undefined;
  tokens: number;
  version: number | undefined;
  receipt: string | undefined;
}>;

/** An MCP client with the key of an agent. */
export class McpAgent {
  private constructor(readonly client: Client) {}

  static async connect(
    { url }: Pick<ServerOf, 'url'>,
    { key, transport, era }: Readonly<{ key: string; transport: Transport; era: Era }>,
  ): Promise<McpAgent> {
    const mode = era === '2026-07-28' ? { pin: era } : ('legacy' as const);
    const client = new Client({ name: 'e2e', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(transport === 'http' ? overHttp(url, key) : overStdio(url, key));
    return new McpAgent(client);
  }

  /**
   * Runs an MCP server in this process that calls the API of the real server. Tests pass a `fetch` that loses answers.
   * For tests that need neither a transport nor a start.
   */
  static async inProcess(
    { url }: Pick<ServerOf, 'url'>,
    { key, fetch }: Readonly<{ key: string; fetch?: typeof globalThis.fetch }>,
  ): Promise<McpAgent> {
    const throughline = new Throughline({ url, key, fetch });
    const principal = await readPrincipal(throughline);
    const countTokens = (text: string) => tokenizerOf('o200k_base').unitsOf(text);
    const server = await createThroughlineMcpServer(throughline, principal, { countTokens });
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'e2e', version: '1' });
    await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
    return new McpAgent(client);
  }

  /** Starts the server as a client with this configuration and environment does. */
  static async configured(
    configuration: Configuration,
    environment: Readonly<Record<string, string>>,
  ): Promise<McpAgent> {
    const { command, args, env } = configuration.mcpServers.throughline;
    const substituted = Object.entries(env).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{(\w+)\}/g, (_whole, variable: string) => environment[variable] ?? ''),
    ]);
    const PATH = environment['PATH'] ?? process.env['PATH'] ?? '';
    const client = new Client({ name: 'e2e', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command,
        args,
        env: { PATH, ...Object.fromEntries(substituted) },
      }),
    );
    return new McpAgent(client);
  }

  async call(name: string, parameters: Record<string, unknown> = {}): Promise<Answer> {
    const result = await this.client.callTool({ name, arguments: parameters });
    const content = result.content as readonly Readonly<{ type: string; text: string }>[];
    const text = content.map((block) => block.text).join('');
    const footer = /version (\d+|-) · receipt (\S+) · next: \S.*$/.exec(text);
    const structured = result.structuredContent as Answer['structured'];
    return {
      text,
      structured,
      isError: result.isError === true,
      tokens: tokensOf(text),
      version: numberOf(structured?.['version'] ?? footer?.[1]),
      receipt: footer?.[2] === '-' ? undefined : footer?.[2],
    };
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** The first configuration in a page, with the URL of this server. */
export async function configurationOf(page: string, { url }: ServerOf): Promise<Configuration> {
  const [, snippet = ''] =
    /```json\n([\s\S]*?)```/.exec(await readFile(join(root, page), 'utf8')) ?? [];
  return JSON.parse(snippet.replaceAll('http://127.0.0.1:3000', url));
}

/** A `PATH` with `throughline` on it, as after an installation, and a function that removes it. */
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
