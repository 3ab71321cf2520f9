import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Throughline } from '@throughline/sdk';

import { sized } from '#testing';

import { McpAgent } from './mcp-client.js';
import { BrowserPage } from './packages/browser-page.js';
import { PackedPackages } from './packages/packed-packages.js';
import { usesOf } from './packages/page-uses.js';
import { ThroughlineServer } from './throughline-server.js';

const root = join(import.meta.dirname, '..', '..');
const program = (path: string) => join(root, 'node_modules', path);

let packed: PackedPackages;
let browser: BrowserPage;
let server: ThroughlineServer;
/** The documentation of the SDK. */
let manual: string;

beforeAll(async () => {
  manual = await readFile(join(root, 'docs', 'typescript-sdk.md'), 'utf8');
  packed = await PackedPackages.install();
  browser = await BrowserPage.serve(join(packed.directoryOf('sdk'), 'dist'));
  server = await ThroughlineServer.start({ CORS_ORIGINS: browser.origin });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await packed?.remove();
});

/** The blocks of the page in this language, in order. */
function blocks(language: string): string[] {
  const found = manual.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'));
  return [...found].map(([, code = '']) => code);
}

describe('the packages', () => {
  const checks = [program('publint/src/cli.js'), 'run', '--strict'];

  it.each(['sdk', 'mcp'] as const)('contain the build and the license: %s', async (name) => {
    await packed.node([...checks, packed.tarballOf(name)]);
    const files = await packed.filesOf(name);
    expect(files).toEqual(
      expect.arrayContaining(['package/LICENSE', 'package/README.md', 'package/dist/index.js']),
    );
    expect(files.filter((file) => /\/src\/|\.spec\.|fixture/.test(file))).toEqual([]);
  });

  it.each(['sdk', 'mcp', 'langgraph'])('are built before they are packed: %s', async (name) => {
    const manifest = await readFile(join(root, 'packages', name, 'package.json'), 'utf8');
    expect(JSON.parse(manifest).scripts).toEqual({ prepack: `node ../build.mjs ${name}` });
  });
});

describe('the packed SDK', () => {
  it('passes the checks of its types', async () => {
    const attw = program('@arethetypeswrong/cli/dist/index.js');
    await packed.node([attw, packed.tarballOf('sdk'), '--profile', 'esm-only']);
  }, 60_000);

  it('has no dependencies, and is installed alone', async () => {
    const lock = JSON.parse(await readFile(packed.pathOf('package-lock.json'), 'utf8'));
    expect(Object.keys(lock.packages)).toEqual(['', 'node_modules/@throughline/sdk']);
    expect(lock.packages['node_modules/@throughline/sdk']).not.toHaveProperty('dependencies');
  });

  it('lets two agents share a context, one of which rebases, with the code of the page', async () => {
    const [code = ''] = blocks('js');
    const [output] = blocks('text');
    await writeFile(packed.pathOf('two-agents.mjs'), code);
    const printed = await packed.node(['two-agents.mjs'], {
      THROUGHLINE_URL: server.url,
      ARCHITECT_KEY: await server.key({ role: 'agent', agentId: 'architect' }),
      BUILDER_KEY: await server.key({ role: 'agent', agentId: 'builder' }),
    });
    expect(printed).toBe(output);
  }, 60_000);

  it.each(sized(['bundler'], ['nodenext', 'bundler']))(
    'has types under the resolution %s',
    async (resolution) => {
      const isBundler = resolution === 'bundler';
      await writeFile(packed.pathOf('uses.ts'), usesOf(blocks('js').slice(1)));
      const options = {
        strict: true,
        noEmit: true,
        target: 'es2022',
        types: ['node'],
        module: isBundler ? 'esnext' : resolution,
        moduleResolution: resolution,
        // The declarations are the same: checking them, and those of Node, takes most of the time.
        skipLibCheck: isBundler,
      };
      const config = { compilerOptions: options, files: ['uses.ts'] };
      await writeFile(packed.pathOf('tsconfig.json'), JSON.stringify(config));
      const compiled = await packed
        .node([program('typescript-7/bin/tsc'), '-p', '.'])
        .catch(({ stdout }: { stdout: string }) => stdout);
      expect(compiled).toBe('');
    },
  );
});

describe('the packed MCP server', () => {
  it('serves the contexts of a server with the configuration of its page', async () => {
    const directory = packed.directoryOf('mcp');
    const page = await readFile(join(directory, 'README.md'), 'utf8');
    const [, snippet = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    const { mcpServers } = JSON.parse(snippet);
    expect(mcpServers.throughline.args).toEqual(['-y', '@throughline/mcp']);
    const { bin } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
    const launch = { command: process.execPath, args: [join(directory, bin['throughline-mcp'])] };
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
  });

  it('contains its skill', async () => {
    const skill = join(packed.directoryOf('mcp'), 'skills/throughline/SKILL.md');
    expect(await readFile(skill, 'utf8')).toMatch(/^---\nname: throughline\n/);
  });
});

/** Runs code in the page, in which `Throughline` and the options of a client are defined. */
async function inPage<T>(body: string): Promise<T> {
  const key = await server.key({ role: 'agent', agentId: 'page' });
  return browser.page.evaluate<T>(
    `(async ({ url, key }) => {
      const { isThroughlineError, Throughline } = await import('/index.js');
      const tl = new Throughline({ url, key });
      ${body}
    })(${JSON.stringify({ url: server.url, key })})`,
  );
}

describe('the packed SDK in a browser', () => {
  beforeAll(() => browser.open());

  it('writes, reads and distinguishes a conflict from other errors', async () => {
    const result = await inPage(`
      const { contextId } = await tl.contexts.create({ contextId: 'from-a-page' });
      const context = tl.context(contextId);
      const { version } = await context.steps.complete('draft', { text: 'größer – 😀' });
      const event = { type: 'StepStarted', data: { stepId: 'review' } };
      const error = await context.append([event], { expectedVersion: 1 }).catch((caught) => caught);
      const { stepOutputs } = await context.get();
      return { version, stepOutputs, isConflict: isThroughlineError(error, 'version-conflict'), missed: error.missed.length };
    `);
    expect(result).toEqual({
      version: 2,
      stepOutputs: { draft: { text: 'größer – 😀' } },
      isConflict: true,
      missed: 1,
    });
  });

  it('decides again after missed events', async () => {
    const result = await inPage(`
      await tl.contexts.create({ contextId: 'raced-in-a-page' });
      const context = tl.context('raced-in-a-page');
      const attempts = [];
      const { version } = await context.update(async (document, { attempt, missed }) => {
        attempts.push(missed.map(({ type }) => type));
        if (attempt === 1) await context.steps.start('other');
        return [{ type: 'StepOutputAdded', data: { stepId: 'own', output: document._version } }];
      });
      return { attempts, version };
    `);
    expect(result).toEqual({ attempts: [[], ['StepStarted']], version: 3 });
  });

  it('receives new events after a version until its signal aborts', async () => {
    const tl = new Throughline({ url: server.url, key: await server.key({ role: 'admin' }) });
    await tl.contexts.create({ contextId: 'followed' });
    const context = tl.context('followed');
    await context.steps.start('first');
    await browser.page.exposeFunction(
      'writeNext',
      async () => void (await context.steps.start('second')),
    );
    const result = await inPage(`
      const stop = new AbortController();
      const seen = [];
      const tail = tl.context('followed').tail({
        after: 1,
        signal: stop.signal,
        onUpToDate: () => { seen.push('up to date'); void writeNext(); },
      });
      for await (const event of tail) if (seen.push(event.data.stepId) === 3) stop.abort();
      return seen;
    `);
    expect(result).toEqual(['first', 'up to date', 'second']);
  });
});
