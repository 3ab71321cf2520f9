import { type Page } from 'playwright-core';

import { rootKey, ThroughlineServer } from '../throughline-server.js';
import { ConsoleBrowser } from './console-browser.js';

const hostile =
  '<img src=x onerror=alert(1)><script>alert(2)</script>[x](javascript:alert(3)) \u202egnitnuocca';
const long = `# Design\n\n${'The list has one row for each item. '.repeat(40)}`;

let server: ThroughlineServer;
let browser: ConsoleBrowser;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  browser = await ConsoleBrowser.launch(server.url);
  await server.post('/v1/contexts', { contextId: 'lists', title: hostile });
  const path = '/v1/contexts/lists';
  for (const stepId of ['design', 'build', 'test', 'release', hostile])
    await server.post(`${path}/step-outputs`, { stepId, output: `${long}${stepId}` });
  await server.post(`${path}/decisions`, {
    topic: 'storage',
    decision: hostile,
    rationale: 'r',
  });
  await server.call('PUT', '/v1/agents/coder', {
    body: {
      name: 'Amelia',
      role: 'developer',
      kind: 'llm',
      persona: hostile,
      template: 'Release: {{context.release}} {{context.absent}}',
      contract: { inputs: { brief: { path: 'analyst.outputs.brief' } } },
    },
  });
}, 120_000);

afterAll(async () => {
  await browser.close();
  await server.stop();
});

afterEach(async () => {
  expect(await browser.closePages()).toEqual([]);
});

const open = (parameters = '', options: object = {}): Promise<Page> =>
  browser.open(`/contexts/lists/view${parameters}`, {
    key: rootKey,
    workspace: server.workspace,
    ...options,
  });

const view = (page: Page, name: string | RegExp = 'View') =>
  page.getByRole('region', { name, exact: true });

/** The view that the API returns, to compare the page with it. */
async function viewOf(query: string) {
  const { body } = await server.get(`/v1/contexts/lists/view${query}`);
  return body;
}

describe('the view explorer of the console', () => {
  it('shows the size of each entry, and what a small budget shortens', async () => {
    const page = await open();
    await view(page)
      .getByText('6 entries, nothing shortened: everything fits into the budget.')
      .waitFor();
    await page.getByLabel('Budget in tokens').fill('900');
    await page.keyboard.press('Enter');
    await view(page)
      .getByText(/of 900 tokens/)
      .waitFor();
    expect(page.url()).toContain('maxTokens=900');
    const { items } = await viewOf('?maxTokens=900');
    const entries = await page.getByRole('list', { name: 'Entries' }).getByRole('listitem').all();
    expect(entries).toHaveLength(items.length);
    const first = (await entries[0]?.innerText()) ?? '';
    expect(first).toContain(items[0].ref);
    expect(first).toMatch(
      new RegExp(`${items[0].tokens} of (about )?${items[0].fullTokens} tokens`),
    );
    expect(await page.getByText(/complete, they would take about/).count()).toBe(1);
  });

  it('opens the original of a shortened entry, and keeps it in the address', async () => {
    const { items } = await viewOf('?maxTokens=900');
    const page = await open('?maxTokens=900');
    await page.getByRole('button', { name: items[0].ref }).focus();
    await page.keyboard.press('Enter');
    await page
      .getByText(/Design\s+The list has one row/)
      .first()
      .waitFor();
    await page.reload();
    await page.getByRole('button', { name: items[0].ref, expanded: true }).waitFor();
  });

  it('changes the budget with a logarithmic slider', async () => {
    const page = await open('?maxTokens=1000');
    await page.getByRole('slider', { name: 'Budget, logarithmic' }).focus();
    await page.keyboard.press('ArrowRight');
    await view(page)
      .getByText(/of 1100 tokens/)
      .waitFor();
    expect(page.url()).toContain('maxTokens=1100');
  });

  it('shows two audiences side by side, and what only one of them sees', async () => {
    const policy = { show: [{ types: ['DecisionRecorded'] }] };
    await server.call('PUT', '/v1/policies/visitors', { body: policy });
    const page = await open();
    await page.locator('datalist option[value="visitors"]').first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Compare with a second view' }).click();
    await page.getByLabel('Second audience').fill('reviewer');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Second view: reviewer' }).waitFor();
    expect(page.url()).toContain('compare=reviewer');
    await view(page, 'First view').getByText('only in this view').first().waitFor();
    expect(await view(page, 'First view').getByText('only in this view').count()).toBe(5);
    expect(await view(page, 'Second view').getByText('only in this view').count()).toBe(0);
    await page.getByRole('button', { name: 'Show one view' }).click();
    await view(page).waitFor();
  });

  it('shows two budgets side by side', async () => {
    const page = await open('?maxTokens=5000&compareTokens=900');
    await view(page, 'First view')
      .getByText(/of 5000 tokens/)
      .waitFor();
    await view(page, 'Second view')
      .getByText(/of 900 tokens/)
      .waitFor();
  });

  it('shows the prompt of a registered agent, and which of its inputs are missing', async () => {
    const page = await open();
    await page.getByLabel('Read as agent').selectOption('coder');
    const prompt = page.getByRole('region', { name: 'Prompt of the agent' });
    await prompt.getByText(/Release:/).waitFor();
    const text = await prompt.innerText();
    expect(text).toContain('analyst.outputs.brief: missing, required');
    expect(text).toContain('context.absent');
    expect(text).toContain('text source=context.release');
    expect(page.url()).toContain('agent=coder');
  });

  it('states the minimum if a budget is too small, and cuts the smallest view on request', async () => {
    const page = await open('?maxTokens=5');
    await view(page)
      .getByRole('alert')
      .getByText(/the smallest view/)
      .waitFor();
    await page.getByLabel('Cut the smallest view if it exceeds the budget').check();
    await view(page)
      .getByText(/of 5 tokens/)
      .waitFor();
  });

  it('renders text of agents as text', async () => {
    const page = await open('?agent=coder');
    await page.getByText(/Release:/).waitFor();
    const text = await page.getByRole('main').innerText();
    expect(text).toContain('<img src=x onerror=alert(1)>');
    expect(text).toContain('\u27e8U+202E\u27e9');
    expect(text).not.toContain('\u202e');
    expect(await page.locator('main img, main script, main a[href^="javascript"]').count()).toBe(0);
  });

  it('offers the audiences of a narrower key', async () => {
    const key = await server.key({ role: 'agent', agentId: 'r-1', audiences: ['reviewer'] });
    const page = await browser.open('/contexts/lists/view', { key });
    await page.getByRole('heading', { name: 'View: reviewer' }).waitFor();
    expect(await page.getByLabel('Audience').locator('option').allInnerTexts()).toEqual([
      'default',
      'reviewer',
    ]);
  });

  it('follows the context as it grows', async () => {
    await server.post('/v1/contexts', { contextId: 'growing' });
    const page = await browser.open('/contexts/growing/view', {
      key: rootKey,
      workspace: server.workspace,
    });
    await view(page).getByText('The view has no entries.').waitFor();
    await server.post('/v1/contexts/growing/step-outputs', { stepId: 'build', output: 1 });
    await page.getByRole('button', { name: 'step-output:build' }).waitFor();
  });

  it('breaks no rule of accessibility, light and dark', async () => {
    const page = await open('?maxTokens=900&compare=reviewer&agent=coder');
    await page.getByRole('heading', { name: 'Second view: reviewer' }).waitFor();
    await page.getByText(/Release:/).waitFor();
    expect(await browser.axe(page)).toEqual([]);
  });
});
