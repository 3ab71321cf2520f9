import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { McpAgent } from './mcp-client.js';
import { ThroughlineServer } from './throughline-server.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

/** A directory with the packages as they are published, and what they depend on. */
let project: string;
let mcp: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'throughline-mcp-'));
  await run(process.execPath, [join(root, 'packages/build.mjs'), 'sdk', 'mcp', '--into', project]);
  mcp = join(project, 'node_modules/@throughline/mcp');
  await mkdir(dirname(mcp), { recursive: true });
  for (const name of ['sdk', 'mcp'])
    await cp(join(project, name), join(dirname(mcp), name), { recursive: true });
  for (const name of ['@modelcontextprotocol', 'zod'])
    await symlink(join(root, 'node_modules', name), join(project, 'node_modules', name));
}, 120_000);

afterAll(() => rm(project, { recursive: true, force: true }));

describe('the package of the MCP server', () => {
  it('is found without a fault by the checks of packages', async () => {
    const publint = join(root, 'node_modules/publint/src/cli.js');
    await run(process.execPath, [publint, 'run', '--strict', mcp]);
    const published = await readFile(join(mcp, 'skills/throughline/SKILL.md'), 'utf8');
    expect(published).toMatch(/^---\nname: throughline\n/);
  });

  it('serves the contexts of a server by the configuration of its page', async () => {
    const page = await readFile(join(mcp, 'README.md'), 'utf8');
    const [, snippet = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    const { mcpServers } = JSON.parse(snippet);
    expect(mcpServers.throughline.args).toEqual(['-y', '@throughline/mcp']);
    const { bin } = JSON.parse(await readFile(join(mcp, 'package.json'), 'utf8'));
    const server = await ThroughlineServer.shared();
    const launch = { command: process.execPath, args: [join(mcp, bin['throughline-mcp'])] };
    const env = { ...mcpServers.throughline.env, THROUGHLINE_URL: server.url };
    const key = await server.key({ role: 'agent', agentId: 'builder' });
    const agent = await McpAgent.configured(
      { mcpServers: { throughline: { ...launch, env } } },
      { THROUGHLINE_KEY: key },
    );
    const items = [{ kind: 'record', title: 'Begun', body: 'word '.repeat(5_000) }];
    const written = await agent.call('context_append', { contextId: 'new', create: 'New', items });
    expect(written).toMatchObject({ isError: false, version: 2 });
    const { text, tokens } = await agent.call('context_changes', { contextId: 'new', since: 0 });
    expect(text).toContain('RecordAppended by builder');
    expect(tokens).toBeLessThanOrEqual(4_000);
    await agent.close();
    await server.stop();
  });
});
