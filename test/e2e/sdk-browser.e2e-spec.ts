import { spawnSync } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

import { Throughline } from '@throughline/sdk';
import { type Browser, chromium, type Page } from 'playwright-core';

import { ThroughlineServer } from './throughline-server.js';

const root = join(import.meta.dirname, '..', '..');
const installed = '/usr/bin/chromium';
const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' };

let directory: string;
let site: Server;
let server: ThroughlineServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'throughline-browser-'));
  const build = join(root, 'packages', 'build.mjs');
  const { status } = spawnSync(process.execPath, [build, 'sdk', '--into', directory]);
  expect(status).toBe(0);
  const origin = await serveBuild();
  server = await ThroughlineServer.start({ CORS_ORIGINS: origin });
  browser = await launch();
  page = await browser.newPage();
  await page.goto(origin);
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  site?.close();
  await rm(directory, { recursive: true, force: true });
});

/** The page and the built package; returns the origin. */
async function serveBuild(): Promise<string> {
  site = createServer((request, response) => {
    const name = request.url ?? '/';
    response.setHeader('content-type', types[extname(name)] ?? 'text/html');
    if (name === '/') response.end('<!doctype html><title>A page</title>');
    else createReadStream(join(directory, 'sdk', 'dist', name)).pipe(response);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}

/** The Chromium of the machine, or the one that comes with the packages. */
async function launch(): Promise<Browser> {
  if (existsSync(installed))
    return chromium.launch({ executablePath: installed, args: ['--no-sandbox'] });
  const { default: packed } = await import('@sparticuz/chromium');
  return chromium.launch({
    executablePath: await packed.executablePath(),
    args: [...packed.args, '--no-sandbox'],
  });
}

/** Runs in the page: `Throughline` and the options of a client are there. */
async function inPage<T>(body: string): Promise<T> {
  const key = await server.key({ role: 'agent', agentId: 'page' });
  return page.evaluate<T>(
    `(async ({ url, key }) => {
      const { isThroughlineError, Throughline } = await import('/index.js');
      const tl = new Throughline({ url, key });
      ${body}
    })(${JSON.stringify({ url: server.url, key })})`,
  );
}

describe('the SDK in a browser', () => {
  it('writes, reads and tells a conflict from other errors', async () => {
    const seen = await inPage(`
      const { contextId } = await tl.contexts.create({ contextId: 'from-a-page' });
      const context = tl.context(contextId);
      const { version } = await context.steps.complete('draft', { text: 'größer – 😀' });
      const event = { type: 'StepStarted', data: { stepId: 'review' } };
      const error = await context.append([event], { expectedVersion: 1 }).catch((caught) => caught);
      const { stepOutputs } = await context.get();
      return { version, stepOutputs, isConflict: isThroughlineError(error, 'version-conflict'), missed: error.missed.length };
    `);
    expect(seen).toEqual({
      ...{ version: 2, stepOutputs: { draft: { text: 'größer – 😀' } } },
      ...{ isConflict: true, missed: 1 },
    });
  });

  it('decides again on what it missed', async () => {
    const seen = await inPage(`
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
    expect(seen).toEqual({ attempts: [[], ['StepStarted']], version: 3 });
  });

  it('follows what others write, from a version on, until its signal aborts', async () => {
    const tl = new Throughline({ url: server.url, key: await server.key({ role: 'admin' }) });
    await tl.contexts.create({ contextId: 'followed' });
    const context = tl.context('followed');
    await context.steps.start('first');
    await page.exposeFunction('writeNext', async () => void (await context.steps.start('second')));
    const seen = await inPage(`
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
    expect(seen).toEqual(['first', 'up to date', 'second']);
  });
});
