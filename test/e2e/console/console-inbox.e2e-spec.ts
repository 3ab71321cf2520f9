import { type Page } from 'playwright-core';

import { waitFor } from '#testing';

import { caughtUp } from '../caught-up.js';
import { rootKey, ThroughlineServer } from '../throughline-server.js';
import { ConsoleBrowser } from './console-browser.js';
import { claim, finish, startRun } from './run-worker.js';

const hostile =
  '<img src=x onerror=alert(1)><script>alert(2)</script>[x](javascript:alert(3)) \u202egnitnuocca';
const plan = { id: 'plan', type: 'agent', agent: 'planner' };

const release = {
  id: 'release',
  steps: [
    { ...plan, next: 'approve' },
    { id: 'approve', type: 'approval', message: `Ship? ${hostile}`, on_approve: 'ship' },
    { id: 'ship', type: 'agent', agent: 'shipper' },
  ],
};

let server: ThroughlineServer;
let browser: ConsoleBrowser;
let planner: string;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  browser = await ConsoleBrowser.launch(server.url);
  planner = await server.key({ role: 'agent', agentId: 'planner', audiences: ['all'] });
  expect((await server.post('/v1/workflows', release)).status).toBe(201);
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

/** A run that waits for its approval. */
async function waitingRun(contextId: string): Promise<void> {
  await startRun(server, contextId, 'release', `Release ${contextId}`);
  await finish(server, 'planner', { files: [hostile] }, planner);
  await caughtUp(server);
}

/** A decision that waits for a person and cites a view, after which a risk was recorded. */
async function pendingDecision(contextId: string): Promise<void> {
  const path = await server.context(contextId);
  const view = await server.get(`${path}/view`, { key: planner });
  await server.post(`${path}/risks`, { severity: 'high', description: `Late risk ${hostile}` });
  const decision = {
    topic: 'broker',
    decision: `Kafka for ${contextId} ${hostile}`,
    rationale: `It scales ${hostile}`,
    alternativesConsidered: [`REST ${hostile}`],
    tradeOffs: hostile,
    requiresApproval: true,
  };
  const headers = { 'Based-On': String(view.headers['receipt']) };
  const answer = await server.post(`${path}/decisions`, decision, { key: planner, headers });
  expect(answer.status).toBe(201);
  await caughtUp(server);
}

const entry = (page: Page, text: string) =>
  page.getByRole('group', { name: 'Waiting work' }).getByRole('button', { name: text });

describe('the inbox', () => {
  it('approves a step, and the run continues in another tab that watches it', async () => {
    await waitingRun('watched');
    const page = await open('/inbox');
    const other = await browser.pageIn(page.context());
    const { search } = new URL(page.url());
    await other.goto(`${server.url}/console/contexts/watched/run${search}`);
    await other.getByRole('button', { name: /approve.*waits for a person/s }).waitFor();

    await entry(page, 'Release watched').click();
    await page.getByText('Newest output: plan by planner').waitFor();
    await page.getByLabel('Comment, which the next step gets').fill('Ship it');
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('status').getByText('Approved').waitFor();
    await entry(page, 'Release watched').waitFor({ state: 'detached' });

    await other.getByRole('button', { name: /ship.*waits for shipper/s }).waitFor();
    const { feedback } = await claim(server, 'shipper');
    expect(feedback).toBe('Ship it');
    await other.getByRole('button', { name: /ship.*running by/s }).waitFor();
  });

  it('rejects a decision with a reason, next to what it rests on', async () => {
    await pendingDecision('rejected');
    const page = await open('/inbox');
    await entry(page, 'Kafka for rejected').click();
    const basis = page.getByRole('region', { name: 'What it rests on' });
    await basis.getByText('Late risk').first().waitFor();
    await basis.getByText('not read by its author').waitFor();
    await basis.getByText('The text that the author had read and cites').click();
    await basis.getByRole('region', { name: 'The cited text' }).waitFor();
    const text = await page.getByRole('main').innerText();
    expect(text).toContain('It scales <img src=x onerror=alert(1)>');
    expect(text).toContain('REST <img src=x onerror=alert(1)>');
    expect(text).toContain('# context `rejected`');
    expect(text).not.toContain('\u202e');
    expect(await page.locator('main img, main script, main a[href^="javascript"]').count()).toBe(0);

    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByRole('alert').getByText('Enter the reason first').waitFor();
    await page.getByLabel('Reason').fill('Too costly');
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByRole('status').getByText('Rejected').waitFor();
    await entry(page, 'Kafka for rejected').waitFor({ state: 'detached' });
    const { body } = await server.get('/v1/contexts/rejected/events?type=DecisionRejected');
    expect(body.items[0].data).toMatchObject({ decisionId: 'DEC-001', reason: 'Too costly' });
  });

  it('shows the work of an agent, which a person acknowledges or provides', async () => {
    const path = await server.context('work');
    const note = `Go on ${hostile}`;
    const more = { actionItems: [hostile], relatedArtifacts: [hostile] };
    await server.post(`${path}/handovers`, { to: 'bob', note, priority: 'high', ...more });
    const budget = { path: 'bob.outputs.budget', from: 'bob', reason: `Which budget? ${hostile}` };
    await server.post(`${path}/input-requests`, budget);
    await caughtUp(server);
    const page = await open('/inbox');
    await page.getByLabel('Work of the agent').fill('bob');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await entry(page, 'Go on').click();
    await page.getByRole('heading', { name: 'Action items' }).waitFor();
    await page.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByRole('status').getByText('Acknowledged').waitFor();
    await entry(page, 'Go on').waitFor({ state: 'detached' });
    await entry(page, 'Which budget?').click();
    await page.getByRole('button', { name: 'Provide' }).click();
    await page.getByRole('alert').getByText('Enter the value first').waitFor();
    await page.getByLabel('Value').fill('{"euros": 5}');
    await page.getByRole('button', { name: 'Provide' }).click();
    await page.getByRole('heading', { name: 'Nothing waits for this agent' }).waitFor();
    const { body } = await server.get(`${path}?parts=inputRequests,handoverNotes`);
    expect(body).toMatchObject({
      inputRequests: [{ status: 'provided', value: { euros: 5 } }],
      handoverNotes: [{ status: 'acknowledged' }],
    });
  });

  it('shows the work of one context, and work in the address that is not on the first page', async () => {
    const path = await server.context('crowded');
    const handover = { to: 'carol', note: 'Usual' };
    const data = (nth: number) => ({
      type: 'HandoverNoted',
      data: { ...handover, handoverId: `H-${nth}` },
    });
    const events = Array.from({ length: 100 }, (_, nth) => data(nth));
    expect((await server.post(`${path}/events`, { events })).status).toBe(201);
    const other = await server.context('quiet');
    const late = { ...handover, handoverId: 'late', note: 'Late', priority: 'low' };
    await server.post(`${other}/handovers`, late);
    await caughtUp(server);
    const page = await open('/inbox?agent=carol&item=handover+quiet+late');
    await page.getByRole('heading', { name: 'Late' }).waitFor();
    await page.getByRole('button', { name: 'Acknowledge' }).waitFor();
    await page.getByLabel('In the context').fill('quiet');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await entry(page, 'Late').waitFor();
    expect(await entry(page, 'Usual').count()).toBe(0);
    await page.getByRole('button', { name: 'Show everything' }).click();
    await page.getByLabel('In the context').fill('quiet');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await entry(page, 'Late').waitFor();
    expect(page.url()).not.toContain('carol');
    const absent = await open('/inbox?agent=carol&item=handover+quiet+other');
    await absent.getByText('This does not wait any more').waitFor();
  });

  it('works on a phone, with the keyboard alone', async () => {
    await waitingRun('phone');
    const page = await open('/inbox', { viewport: { width: 390, height: 800 } });
    await entry(page, 'Release phone').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Newest output: plan by planner').waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
    expect(await page.getByRole('group', { name: 'Waiting work' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Back to the list' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('No');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.getByRole('status').getByText('Rejected').waitFor();
    await waitFor('the focus', () => page.evaluate<string>('document.activeElement.className'), {
      until: (name) => name === 'inbox-status',
    });
    const { body } = await server.get('/v1/contexts/phone/run');
    expect(body).toMatchObject({ status: 'rejected' });
  });

  it('shows new work without a reload, and removes work that another person decided', async () => {
    const page = await open('/inbox');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await pendingDecision('live');
    await entry(page, 'Kafka for live').click();
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    await server.post('/v1/contexts/live/decisions/DEC-001/approve', {});
    await page.getByText('This does not wait any more').waitFor();
  });

  it('shows auditors what waits, without buttons', async () => {
    await pendingDecision('audited');
    const key = await server.key({ role: 'auditor' });
    const page = await browser.open('/inbox', { key });
    await entry(page, 'Kafka for audited').click();
    await page.getByText('Your key may read this, but not decide it.').waitFor();
    expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
  });

  it('breaks no rule of accessibility, light and dark', async () => {
    await pendingDecision('accessible');
    const page = await open('/inbox');
    await entry(page, 'Kafka for accessible').waitFor();
    expect(await browser.axe(page)).toEqual([]);
    await entry(page, 'Kafka for accessible').click();
    await page.getByText('Late risk').first().waitFor();
    await page.getByText('The text that the author had read and cites').click();
    await page.getByRole('region', { name: 'The cited text' }).waitFor();
    expect(await browser.axe(page)).toEqual([]);
    const empty = await open('/inbox?agent=nobody');
    await empty.getByRole('heading', { name: 'Nothing waits for this agent' }).waitFor();
    expect(await browser.axe(empty)).toEqual([]);
  });
});

describe('an attempt in doubt', () => {
  it('is answered with the output that it had', async () => {
    const own = await ThroughlineServer.start({ THROUGHLINE_RUN_LEASE_MS: '1000' });
    const ownBrowser = await ConsoleBrowser.launch(own.url);
    try {
      await own.post('/v1/workflows', { id: 'deploy', steps: [{ ...plan, recovery: 'ask' }] });
      await startRun(own, 'deploy', 'deploy');
      await claim(own, 'planner');
      const page = await ownBrowser.open('/inbox', { key: rootKey });
      await page.getByRole('button', { name: 'attempt in doubt' }).click();
      await page.getByLabel('It took effect: set its output').check();
      await page.getByLabel('Output: JSON').fill('{"deployed": true}');
      await page.getByRole('button', { name: 'Answer' }).click();
      await page.getByRole('status').getByText('Answered').waitFor();
      const { body } = await own.get('/v1/contexts/deploy?parts=run,stepOutputs');
      expect(body).toMatchObject({
        run: { status: 'completed' },
        stepOutputs: { plan: { deployed: true } },
      });
      expect(await ownBrowser.closePages()).toEqual([]);
    } finally {
      await ownBrowser.close();
      await own.stop();
    }
  }, 120_000);
});
