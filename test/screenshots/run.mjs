// `npm run console:screenshots`: fills a workspace with the story of `npm run demo -- --keep`, opens each screen of the console in a
// browser, and writes pictures of them to docs/images/console.
//   npm run console:screenshots -- inbox runs     some screens
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { launchBrowser } from '../e2e/launch-browser.ts';
import { toPalettePng } from './palette-png.mjs';
import { missing, screens } from './screens.mjs';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'docs/images/console');
const laptop = { width: 1280, height: 800 };
/** The clock of the pages stops this long after the story, so that relative times are the same in each run. */
const agoMs = 5 * 60_000;

const names = process.argv.slice(2);
const unknown = names.filter((name) => !screens.some((screen) => screen.name === name));
if (unknown.length > 0) throw new Error(`there is no screen ${unknown.join(', ')}`);

const directory = await mkdtemp(join(tmpdir(), 'throughline-screenshots-'));
const demo = startDemo(join(directory, 'workspace'));
try {
  const link = await signInLinkOf(demo);
  const browser = await launchBrowser();
  try {
    await mkdir(folder, { recursive: true });
    await takeAll(browser, link);
  } finally {
    await browser.close();
  }
} finally {
  await stop(demo);
  await rm(directory, { recursive: true, force: true });
}

function startDemo(workspace) {
  const launcher = join(root, 'apps/cli/bin/throughline.mjs');
  return spawn(process.execPath, [launcher, 'demo', '--keep', workspace], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function signInLinkOf(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    const link = /\S+#sign-in=\S+/.exec(line)?.[0];
    if (link !== undefined) return link;
  }
  throw new Error('the demo printed no sign-in link');
}

async function takeAll(browser, link) {
  const session = await browser.newContext({
    viewport: laptop,
    colorScheme: 'light',
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const page = await session.newPage();
  page.setDefaultTimeout(10_000);
  await page.clock.setFixedTime(Date.now() + agoMs);
  await page.goto(link);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  const chosen = screens.filter(({ name }) => names.length === 0 || names.includes(name));
  for (const screen of chosen)
    await take(page, screen, new URL(link).origin).catch((error) => {
      process.stderr.write(`${screen.name}: ${error.message}\n`);
      process.exitCode = 1;
    });
}

async function take(page, { name, path, complete, size = laptop, act }, origin) {
  await page.setViewportSize(size);
  await page.goto(`${origin}/console${path}`);
  await page.getByRole('main').locator('h1').waitFor();
  if (await page.getByRole('heading', { name: missing }).isVisible()) {
    process.stdout.write(`${name}: this version has no such screen\n`);
    return;
  }
  await page.getByText(complete).first().waitFor();
  await act?.(page);
  await page.getByText('Loading …').first().waitFor({ state: 'hidden' });
  const png = toPalettePng(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
  await writeFile(join(folder, `${name}.png`), png);
  process.stdout.write(`${name}: ${Math.ceil(png.length / 1024)} KiB\n`);
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
