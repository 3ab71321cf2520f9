import { type Page } from 'playwright-core';

import { caughtUp } from '../caught-up.js';
import { rootKey, ThroughlineServer } from '../throughline-server.js';
import { ConsoleBrowser } from './console-browser.js';
import { claim, finish, startRun } from './run-worker.js';

const hostile =
  '<img src=x onerror=alert(1)><script>alert(2)</script>[x](javascript:alert(3)) \u202egnitnuocca';

const feature = {
  id: 'feature',
  steps: [
    { id: 'plan', type: 'agent', agent: 'planner', name: `Plan ${hostile}`, next: 'approve' },
    {
      id: 'approve',
      type: 'approval',
      message: `Good? ${hostile}`,
      on_approve: 'tests',
      on_reject: { to: 'plan', max_visits: 3 },
    },
    {
      id: 'tests',
      type: 'parallel',
      steps: [
        { id: 'unit', type: 'agent', agent: 'unit', max_retries: 2 },
        { id: 'browser', type: 'agent', agent: 'browser', optional: true },
      ],
      next: 'check',
    },
    { id: 'check', type: 'condition', condition: 'context.tests.success', else: 'plan' },
  ],
};
const single = { id: 'single', steps: [{ id: 'only', type: 'agent', agent: 'only' }] };

let server: ThroughlineServer;
let browser: ConsoleBrowser;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  browser = await ConsoleBrowser.launch(server.url);
  for (const definition of [feature, single])
    expect((await server.post('/v1/workflows', definition)).status).toBe(201);
  await startRun(server, 'login', 'feature', hostile);
}, 120_000);

afterAll(async () => {
  await browser.close();
  await server.stop();
});

afterEach(async () => {
  expect(await browser.closePages()).toEqual([]);
});

const open = (path: string, options: object = {}): Promise<Page> =>
  browser.open(path, { key: rootKey, workspace: server.workspace, ...options });

const step = (page: Page, name: RegExp) =>
  page.getByRole('region', { name: 'Graph of the steps' }).getByRole('button', { name });

describe('the runs of the console', () => {
  it('follow the run: what each step waits for, its attempts, and the slider back', async () => {
    const page = await open('/contexts/login/run');
    await step(page, /Plan <img.*waits for planner/s).waitFor();
    const planning = await claim(server, 'planner');
    await step(page, /Plan <img.*running by/s).waitFor();
    await server.post('/v1/work/complete', { attemptToken: planning.attemptToken, output: 1 });
    await step(page, /approve.*waits for a person/s).waitFor();
    await step(page, /Plan <img.*completed/s).waitFor();
    await step(page, /approve.*waits for a person/s).click();
    await page
      .getByRole('region', { name: 'History of approve' })
      .getByRole('link', { name: 'inbox' })
      .click();
    await page.getByRole('article').getByRole('heading', { name: 'Good?' }).waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    await page.goBack();
    const { body: approvals } = await server.get('/v1/contexts/login/run');
    const { approvalId } = approvals.active[0].approval;
    const key = await server.key({ role: 'operator' });
    await server.post(`/v1/approvals/${encodeURIComponent(approvalId)}/approve`, {}, { key });
    await step(page, /tests.*branches run/s).waitFor();
    const { attemptToken } = await claim(server, 'unit');
    await server.post('/v1/work/fail', { attemptToken, reason: `It broke ${hostile}` });
    await step(page, /unit.*waits for unit, attempt 2/s).click();
    const history = page.getByRole('region', { name: 'History of unit' });
    await history.getByText('It broke <img').first().waitFor();
    expect(page.url()).toContain('step=unit');
    await finish(server, 'unit', { passed: 2 });
    await step(page, /unit.*completed, attempt 2/s).waitFor();

    const text = await page.getByRole('main').innerText();
    expect(text).not.toContain('\u202e');
    expect(await page.locator('main img, main script, main a[href^="javascript"]').count()).toBe(0);
    await page.getByRole('slider', { name: 'Version' }).fill('3');
    await step(page, /Plan <img.*waits for planner/s).waitFor();
    await step(page, /unit.*not reached/s).waitFor();
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
  });

  it('are paused, resumed, and cancelled after a confirmation, with the keyboard', async () => {
    await startRun(server, 'controlled', 'single');
    const page = await open('/contexts/controlled/run');
    const status = page.getByRole('heading', { level: 2 }).first();
    const press = async (name: string) => {
      // Buttons are disabled until the result of the last one is known.
      await page.getByRole('button', { name, exact: true, disabled: false }).focus();
      await page.keyboard.press('Enter');
    };
    await press('Pause');
    await status.getByText('paused').waitFor();
    await press('Resume');
    await status.getByText('running').waitFor();
    await press('Cancel …');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect((await server.get('/v1/contexts/controlled/run')).body.status).toBe('running');
    await press('Cancel …');
    await page.getByLabel('Reason').fill('The scope has changed');
    await page.getByLabel('Do not wait').check();
    await press('Cancel the run');
    await status.getByText('cancelled').waitFor();
    await page.getByText('Reason: The scope has changed').waitFor();
  });

  it('are listed with their state and their waits, and filtered by state and workflow', async () => {
    await startRun(server, 'listed', 'single', 'Listed run');
    await startRun(server, 'ended', 'single', 'Ended run');
    await server.post('/v1/contexts/ended/run/cancel', { reason: hostile, graceMs: 0 });
    await caughtUp(server);
    const page = await open('/runs');
    const rows = page.getByRole('group', { name: 'Runs' }).getByRole('article');
    await rows.filter({ hasText: 'Listed run' }).getByText('only#1 waits for only').waitFor();
    await rows.filter({ hasText: 'Ended run' }).getByText('<img src=x').waitFor();
    await page.getByLabel('State').selectOption('cancelled');
    await page.getByLabel('Workflow').fill('single');
    await page.getByRole('button', { name: 'Filter' }).click();
    await rows.filter({ hasText: 'Listed run' }).waitFor({ state: 'detached' });
    expect(page.url()).toMatch(/state=cancelled&definition=single/);
    await page.getByRole('link', { name: 'Ended run' }).click();
    await page.getByRole('heading', { name: /Run of single version 1/ }).waitFor();
  });

  it('appear in the list without a reload', async () => {
    const page = await open('/runs');
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    await startRun(server, 'live', 'single', 'Live run');
    await page.getByRole('link', { name: 'Live run' }).waitFor();
  });

  it('explain a context without a run, and a key that may not read runs', async () => {
    await server.context('without-run');
    const page = await open('/contexts/without-run/run');
    await page.getByRole('heading', { name: 'The context has no run' }).waitFor();
    const key = await server.key({ role: 'agent', agentId: 'ada', audiences: ['reviewer'] });
    const narrow = await browser.open('/runs', { key });
    await narrow.getByRole('heading', { name: 'Your key does not see everything' }).waitFor();
  });

  it.each<[string, string]>([
    ['/runs', 'group'],
    ['/contexts/login/run?step=plan', 'region'],
  ])('break no rule of accessibility at "%s", light and dark', async (path, role) => {
    const page = await open(path);
    await page
      .getByRole(role === 'group' ? 'group' : 'region', { name: /^(Runs|Graph of the steps)$/ })
      .waitFor();
    expect(await browser.axe(page)).toEqual([]);
  });
});
