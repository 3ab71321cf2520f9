import { type Page } from 'playwright-core';

import { rootKey, ThroughlineServer } from '../throughline-server.js';
import { ConsoleBrowser } from './console-browser.js';

const hostile =
  '<img src=x onerror=alert(1)><script>alert(2)</script>[x](javascript:alert(3)) \u202egnitnuocca';
const hostileId = '<b>id</b>?&/"\u202e';
const choices = '/v1/contexts/choices';

let server: ThroughlineServer;
let browser: ConsoleBrowser;

const decide = (decision: object, options?: object) =>
  server.post(`${choices}/decisions`, { rationale: hostile, ...decision }, options);

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  browser = await ConsoleBrowser.launch(server.url);
  await server.context('empty');
  await server.post('/v1/contexts', { contextId: 'choices', title: 'Choices' });
  await decide({ topic: hostile, decision: hostile, agentId: 'architect' });
  const relatedDecisions = [{ decisionId: 'DEC-001', relation: 'requires' }];
  await decide({ topic: 'broker', decision: 'Kafka', relatedDecisions });
  const { headers } = await server.get(choices);
  const basis = { headers: { 'based-on': String(headers['receipt']) } };
  const risk = { riskId: hostileId, severity: 'high', description: hostile, agentId: 'tester' };
  await server.post(`${choices}/risks`, risk);
  await decide({ decisionId: hostileId, decision: 'One file', agentId: 'builder' }, basis);
  await decide({ topic: hostile, decision: 'PostgreSQL', supersedes: 'DEC-001' });
  await decide({ decision: 'Files again', supersedes: 'DEC-003', requiresApproval: true });
  await decide({ decision: 'NATS', supersedes: 'DEC-002', requiresApproval: true });
  await server.post(`${choices}/decisions/DEC-005/reject`, { reason: hostile });
  await server.post(`${choices}/step-outputs`, { stepId: 'build', output: 1 }, basis);
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

const knowledgeOf = (decisionId: string) =>
  `/contexts/choices/knowledge?decision=${encodeURIComponent(decisionId)}`;

const cardsOf = async (page: Page, lane: string | RegExp): Promise<readonly string[]> => {
  const group = page.getByRole('group', { name: lane });
  await group.waitFor();
  return group.getByRole('article').allInnerTexts();
};

describe('the decisions of a context', () => {
  it('are in lanes of topics, with supersession, status and staleness', async () => {
    const page = await open('/contexts/choices/decisions');
    const storage = await cardsOf(page, /^Decisions on <img src=x/);
    expect(storage).toHaveLength(3);
    expect(storage[0]).toMatch(
      /^DEC-001 superseded[^]*by architect in v2[^]*Superseded by DEC-003/,
    );
    expect(storage[1]).toMatch(/^DEC-003 live[^]*Supersedes DEC-001/);
    expect(storage[2]).toMatch(/^DEC-004 pending[^]*If approved, supersedes DEC-003/);
    const broker = await cardsOf(page, 'Decisions on broker');
    expect(broker[0]).toMatch(/^DEC-002 live stale[^]*it depends on DEC-001, which was superseded/);
    expect(broker[1]).toMatch(
      /^DEC-005 rejected[^]*Would have superseded DEC-002[^]*Rejected by admin/,
    );
    expect(await page.locator('main svg .arrow:not(.proposed)').count()).toBe(1);
    expect(await page.locator('main svg .arrow.proposed').count()).toBe(1);
  });

  it('follow the slider', async () => {
    const page = await open('/contexts/choices/decisions?at=5');
    const storage = await cardsOf(page, /^Decisions on <img src=x/);
    expect(storage).toHaveLength(1);
    expect(storage[0]).toMatch(/^DEC-001 live/);
  });

  it('are found by text, author and state, which are in the address', async () => {
    const page = await open('/contexts/choices/decisions');
    await page.getByLabel('Text, author or id').fill('builder');
    await page.getByLabel('Show').selectOption('stale');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('group', { name: 'Decisions on broker' }).waitFor({ state: 'hidden' });
    expect(await cardsOf(page, 'Decisions without a topic')).toHaveLength(1);
    expect(page.url()).toContain('text=builder&show=stale');
    await page.getByLabel('Text, author or id').fill('nothing like this');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Show all decisions' }).click();
    expect(await cardsOf(page, 'Decisions on broker')).toHaveLength(2);
  });

  it('are rendered as text', async () => {
    const page = await open('/contexts/choices/decisions');
    await cardsOf(page, 'Decisions on broker');
    const text = await page.getByRole('main').innerText();
    expect(text).toContain('<img src=x onerror=alert(1)>');
    expect(text).toContain('\u27e8U+202E\u27e9');
    expect(text).not.toContain('\u202e');
    expect(await page.locator('main :is(img, script, b, a[href^="javascript"])').count()).toBe(0);
  });

  it.each(['decisions', 'knowledge'])(
    'explain the next step if there are none: %s',
    async (tab) => {
      const page = await open(`/contexts/empty/${tab}`);
      await page.getByRole('heading', { name: 'No decisions at this version' }).waitFor();
      await page.getByText('Agents record a decision with').waitFor();
    },
  );
});

describe('the knowledge of an author', () => {
  it('is reached from the lanes with the keyboard alone', async () => {
    const page = await open('/contexts/choices/decisions');
    const link = page.getByRole('link', { name: 'What the author of <b>id</b>' });
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'What the author had not seen' }).waitFor();
    expect(new URL(page.url()).searchParams.get('decision')).toBe(hostileId);
  });

  it('shows what the author had read and had not, what it cites, and what cites it', async () => {
    const page = await open(knowledgeOf(hostileId));
    await page.getByText('Decided by builder in v5').waitFor();
    await page.getByText('Stale: its author had read DEC-001, which was superseded').waitFor();
    await page.getByText('The document of choices at version 3, as the audience all').waitFor();
    const unseen = page.getByRole('list', { name: 'Events that others recorded in between' });
    await unseen.waitFor();
    const [risk, ...more] = await unseen.getByRole('listitem').allInnerTexts();
    expect(more).toEqual([]);
    expect(risk).toMatch(/^v4 tester risk <b>id<\/b>.* raised \(high\): <img src=x/);
    await page.getByText('It names no other decision').waitFor();
    const sameRead = page.getByRole('list', { name: 'Events based on the same read' });
    await sameRead.getByText('v10 step output added').waitFor();
    expect(await sameRead.getByRole('listitem').count()).toBe(1);
    await page.getByText(/^The exact text/).click();
    await page.getByRole('region', { name: 'The exact text' }).getByText('DEC-001').waitFor();
    expect(await page.locator('main :is(img, script, b, a[href^="javascript"])').count()).toBe(0);
  });

  it('is unknown for a decision without a receipt', async () => {
    const page = await open(knowledgeOf('DEC-001'));
    await page.getByText('Unknown: the decision cites no read').waitFor();
    await page.getByRole('heading', { name: 'What the author may not have seen' }).waitFor();
    const citing = page.getByRole('list', { name: 'Decisions that cite it' });
    const rows = await citing.getByRole('listitem').allInnerTexts();
    expect(rows).toEqual([
      expect.stringMatching(/^DEC-002 by admin requires Kafka/),
      expect.stringMatching(/^DEC-003 by admin supersedes PostgreSQL/),
    ]);
  });

  it('changes with the chosen decision, and offers one if there is none', async () => {
    const page = await open(knowledgeOf('no-such'));
    await page.getByRole('heading', { name: 'There is no such decision' }).waitFor();
    await page.getByLabel('Decision', { exact: true }).selectOption('DEC-002');
    await page.getByText('Stale: it depends on DEC-001, which was superseded').waitFor();
    await page
      .getByRole('list', { name: 'Decisions that it cites' })
      .getByText('requires')
      .waitFor();
    await page.getByRole('link', { name: 'v3' }).click();
    await page.getByRole('link', { name: 'What the author of the decision knew' }).click();
    await page.getByRole('heading', { name: /^DEC-002/ }).waitFor();
  });
});

describe('decisions and knowledge', () => {
  it('render only the visible ones of hundreds of unread events, and scroll the timeline to one', async () => {
    const path = await server.context('long');
    for (const batch of [0, 1, 2]) {
      const events = Array.from({ length: 100 }, (_, at) => ({
        type: 'StepOutputAdded',
        data: { stepId: `step-${batch}-${at}`, output: at },
      }));
      expect((await server.post(`${path}/events`, { events, agentId: 'tester' })).status).toBe(201);
    }
    await server.post(`${path}/decisions`, { decision: 'Go on', agentId: 'builder' });
    const page = await open('/contexts/long/knowledge?decision=DEC-001');
    const unread = page.getByRole('group', { name: 'Events that others recorded in between' });
    await unread.getByRole('link', { name: 'v2', exact: true }).waitFor();
    expect(await unread.getByRole('listitem').count()).toBeLessThan(60);
    const timeline = await open('/contexts/long?event=250');
    const row = timeline.getByRole('button', { name: /^v250 / });
    await row.waitFor();
    expect(await row.getAttribute('aria-expanded')).toBe('true');
  });

  it('show a new decision without a reload', async () => {
    const page = await open(knowledgeOf('DEC-003'));
    await page.getByText('No other decision names').waitFor({ state: 'hidden' });
    const relatedDecisions = [{ decisionId: 'DEC-003', relation: 'implies' }];
    await decide({ topic: 'backup', decision: 'Nightly', relatedDecisions });
    await page.getByRole('listitem').filter({ hasText: 'Nightly' }).waitFor();
  });

  it.each<[string, string]>([
    ['/contexts/choices/decisions', 'What the author of DEC-002'],
    ['/contexts/empty/decisions', 'No decisions at this version'],
    [knowledgeOf(hostileId), 'Based on the same read'],
    ['/contexts/choices/knowledge', 'Choose a decision'],
  ])('break no rule of accessibility at "%s", light and dark', async (path, content) => {
    const page = await open(path);
    await page.getByRole('main').getByText(content).first().waitFor();
    expect(await browser.axe(page)).toEqual([]);
  });
});
