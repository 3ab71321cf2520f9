import { type Page } from 'playwright-core';

import { rootKey, ThroughlineServer } from '../throughline-server.js';
import { ConsoleBrowser } from './console-browser.js';

const hostile =
  '<img src=x onerror=alert(1)><script>alert(2)</script>[x](javascript:alert(3)) \u202egnitnuocca';

let server: ThroughlineServer;
let browser: ConsoleBrowser;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  browser = await ConsoleBrowser.launch(server.url);
  await server.post('/v1/contexts', { contextId: 'checkout', preferences: { [hostile]: 'dry' } });
  const path = '/v1/contexts/checkout';
  await server.post(`${path}/decisions`, { topic: 'storage', decision: 'files', rationale: 'r' });
  await server.post(`${path}/decisions`, {
    topic: 'storage',
    decision: hostile,
    rationale: hostile,
    supersedes: 'DEC-001',
  });
  await server.post(`${path}/step-outputs`, { stepId: hostile, output: { [hostile]: hostile } });
  await server.post(`${path}/forks`, { contextId: 'checkout-b', atVersion: 2 });
  await server.post('/v1/contexts/checkout-b/step-outputs', { stepId: 'try', output: 'other' });
}, 120_000);

afterAll(async () => {
  await browser.close();
  await server.stop();
});

afterEach(async () => {
  expect(await browser.closePages()).toEqual([]);
});

const open = (path: string, options: object = {}): Promise<Page> =>
  browser.open(`/contexts/${path}`, { key: rootKey, workspace: server.workspace, ...options });

const headings = (page: Page): Promise<readonly string[]> =>
  page.getByRole('heading', { level: 3 }).allInnerTexts();

const difference = (page: Page, heading: string) => page.getByRole('region', { name: heading });

describe('the diff of the console', () => {
  it('compares the newest version with the one before, by meaning, and has the JSON below', async () => {
    const page = await open('checkout/diff');
    await difference(page, 'Changes from version 3 to version 4').waitFor();
    expect(await headings(page)).toEqual([
      'New outputs of steps',
      'Changed steps',
      'Changed current state',
    ]);
    expect(await page.getByText('outputsAdded').isVisible()).toBe(false);
    await page.getByText('The difference as JSON').click();
    await page.getByText('outputsAdded').waitFor();
  });

  it('compares the selected versions, which are in the address', async () => {
    const page = await open('checkout/diff');
    await page.getByRole('spinbutton', { name: 'From version' }).fill('2');
    await page.getByRole('spinbutton', { name: 'To version' }).fill('3');
    await page.keyboard.press('Enter');
    const shown = difference(page, 'Changes from version 2 to version 3');
    await shown.waitFor();
    expect(page.url()).toMatch(/from=2&to=3/);
    expect(await headings(page)).toEqual(['New decisions', 'Superseded decisions']);
    expect(await shown.innerText()).toMatch(/changed\s+DEC-001[^]*status[^]*live[^]*superseded/);
    await page.reload();
    await shown.waitFor();
  });

  it('compares a fork with its source: the changes of each since the common version', async () => {
    const page = await open('checkout-b/diff');
    await page.getByText('fork of checkout at version 2').waitFor();
    await page.getByRole('button', { name: 'Compare with its source checkout' }).click();
    const here = difference(page, 'Changes in this context from version 1 to version 2');
    const there = difference(page, 'Changes in the other context from version 2 to version 4');
    await here.getByRole('heading', { name: 'New outputs of steps' }).waitFor();
    await there.getByRole('heading', { name: 'Superseded decisions' }).waitFor();
    expect(await here.innerText()).toContain('other');
    expect(page.url()).toContain('against=checkout');
    await page.getByRole('button', { name: 'Compare versions' }).click();
    await difference(page, 'Changes from version 1 to version 2').waitFor();
    await page.getByRole('link', { name: 'checkout', exact: true }).click();
    await page.getByText('2 of 4', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/contexts/checkout');
  });

  it('states that unrelated contexts have nothing in common, and that a context does not exist', async () => {
    await server.post('/v1/contexts', { contextId: 'unrelated' });
    const page = await open('checkout/diff?against=unrelated');
    await page.getByText('These contexts have no version in common').waitFor();
    const other = await open('checkout/diff?against=no-such-context');
    await other.getByRole('alert').waitFor();
  });

  it('renders text of agents as text', async () => {
    const page = await open('checkout/diff?from=0');
    await difference(page, 'Changes from version 0 to version 4').waitFor();
    const text = await page.getByRole('main').innerText();
    expect(text).toContain('<img src=x onerror=alert(1)>');
    expect(text).toContain('\u27e8U+202E\u27e9');
    expect(text).not.toContain('\u202e');
    expect(await page.locator('main img, main script, main a[href^="javascript"]').count()).toBe(0);
  });

  it('follows the context as it grows', async () => {
    await server.post('/v1/contexts', { contextId: 'growing' });
    const page = await open('growing/diff');
    await difference(page, 'Changes from version 0 to version 1').waitFor();
    await server.post('/v1/contexts/growing/step-outputs', { stepId: 'build', output: 1 });
    await difference(page, 'Changes from version 1 to version 2').waitFor();
  });

  it('breaks no rule of accessibility, light and dark', async () => {
    for (const path of ['checkout/diff?from=0', 'checkout-b/diff?against=checkout']) {
      const page = await open(path);
      await page.getByRole('heading', { level: 3 }).first().waitFor();
      expect(await browser.axe(page)).toEqual([]);
    }
  });
});
