import { type Page } from 'playwright-core';

import { rootKey, ThroughlineServer } from '../throughline-server.js';
import { ConsoleBrowser } from './console-browser.js';

const hostile = '<img src=x onerror=alert(1)><script>alert(2)</script> \u202egnitnuocca';
/** Headers have visible ASCII characters only. */
const hostileCause = '<img/src=x/onerror=alert(5)>';

let server: ThroughlineServer;
let browser: ConsoleBrowser;
let decisionEvent: string;
let outputEvent: string;

const causedBy = (causationId: string) => ({
  headers: { 'causation-id': causationId, 'correlation-id': 'task-1' },
});

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  browser = await ConsoleBrowser.launch(server.url);
  const plan = await server.context('plan');
  const build = await server.context('build');
  const decision = { topic: 'storage', decision: hostile, agentId: 'architect' };
  const decided = await server.post(`${plan}/decisions`, decision, causedBy(hostileCause));
  decisionEvent = decided.body.events[0].eventId;
  const output = { stepId: 'code', output: hostile, agentId: 'builder' };
  const built = await server.post(`${build}/step-outputs`, output, causedBy(decisionEvent));
  outputEvent = built.body.events[0].eventId;
  const risk = { riskId: 'RISK-1', severity: 'high', description: hostile, agentId: 'tester' };
  await server.post(`${plan}/risks`, risk, causedBy(outputEvent));
  await server.post(`${plan}/step-outputs`, { stepId: 'aside', output: 1 }, causedBy('elsewhere'));
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

const rowsOf = async (page: Page): Promise<readonly string[]> => {
  const rows = page.getByRole('group', { name: 'Events of the trace' });
  await rows.getByText('aside').waitFor();
  return rows.getByRole('listitem').allInnerTexts();
};

describe('the trace of an event', () => {
  it('is reached from the timeline, and leads back to it', async () => {
    const page = await open('/contexts/plan?event=2');
    await page.getByRole('link', { name: 'Causes and effects' }).click();
    expect(page.url()).toContain(`/console/events/${decisionEvent}/trace`);
    await rowsOf(page);
    await page.getByRole('link', { name: 'build v2' }).click();
    await page.getByText('StepOutputAdded').waitFor();
    expect(page.url()).toContain('/console/contexts/build');
  });

  it('lists causes and effects of all contexts as a tree', async () => {
    const page = await open(`/events/${outputEvent}/trace`);
    const [cause, self, effect, aside, ...more] = await rowsOf(page);
    expect(more).toEqual([]);
    expect(cause).toMatch(/^plan v2\s+cause\s+architect[^]*level 1/);
    expect(self).toMatch(/^build v2\s+this event\s+builder[^]*level 2 · caused by plan v2/);
    expect(effect).toMatch(/^plan v3\s+effect\s+tester[^]*level 3 · caused by build v2/);
    expect(aside).toMatch(/^plan v4\s+same correlation[^]*caused by elsewhere, which is not/);
    await page.getByText('Causes: 1 · Effects: 1 · Others of the same correlation: 1').waitFor();
  });

  it('renders text of agents as text', async () => {
    const page = await open(`/events/${decisionEvent}/trace`);
    await rowsOf(page);
    const text = await page.getByRole('main').innerText();
    expect(text).toContain('<img src=x onerror=alert(1)>');
    expect(text).toContain(hostileCause);
    expect(text).toContain('\u27e8U+202E\u27e9');
    expect(await page.locator('main :is(img, script)').count()).toBe(0);
  });

  it('shows a new effect without a reload', async () => {
    const page = await open(`/events/${outputEvent}/trace`);
    await rowsOf(page);
    const path = '/v1/contexts/build/step-outputs';
    await server.post(path, { stepId: 'late', output: 1 }, causedBy(outputEvent));
    await page.getByText('Causes: 1 · Effects: 2').waitFor();
  });

  it('explains how events are linked if there are none', async () => {
    const created = await server.get('/v1/contexts/build/events?limit=1');
    const page = await open(`/events/${created.body.items[0].eventId}/trace`);
    await page.getByText('To link events, agents send the header').waitFor();
  });

  it('is neither offered nor shown to a key that does not see everything', async () => {
    const grant = { role: 'agent', agentId: 'reviewer-1', audiences: ['reviewer'] };
    const key = await server.key(grant);
    const page = await browser.open('/contexts/plan?event=2', { key });
    await page.getByRole('link', { name: 'What the author of the decision knew' }).waitFor();
    expect(await page.getByRole('link', { name: 'Causes and effects' }).count()).toBe(0);
    await page.goto(`${server.url}/console/events/${decisionEvent}/trace`);
    await page.getByRole('alert').waitFor();
  });

  it('breaks no rule of accessibility, light and dark', async () => {
    const page = await open(`/events/${outputEvent}/trace`);
    await rowsOf(page);
    expect(await browser.axe(page)).toEqual([]);
  });

  it('is walked with the keyboard alone', async () => {
    const page = await open(`/events/${outputEvent}/trace`);
    await rowsOf(page);
    await page.getByRole('link', { name: 'Trace this event' }).first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/events/${decisionEvent}/trace*`);
    await page.getByText('Causes: 0').waitFor();
  });
});
