import { sql } from 'kysely';
import { type Page } from 'playwright-core';

import { waitFor } from '#testing';

import { OperatedServer } from '../operated-server.js';
import { type ProjectorProcess, startProjectorProcess } from '../server-process.js';
import { ThroughlineServer } from '../throughline-server.js';
import { ConsoleBrowser } from './console-browser.js';

const hostile =
  '<img src=x onerror=alert(1)><script>alert(2)</script>[x](javascript:alert(3)) \u202egnitnuocca';
/** As long as the name of a constraint may be, which is part of the error of PostgreSQL. */
const hostileConstraint = '<img src=x onerror=alert(4)>\u202egnitnuocca';
const limitMs = 120_000;

let operated: OperatedServer;
let server: ThroughlineServer;
let browser: ConsoleBrowser;
let projector: ProjectorProcess | undefined;
let rootKey: string;

beforeAll(async () => {
  operated = await OperatedServer.start();
  const { THROUGHLINE_URL: url = '', THROUGHLINE_KEY: key = '' } = operated.env;
  rootKey = key;
  server = ThroughlineServer.at(url);
  browser = await ConsoleBrowser.launch(url);
  await operated.call('POST', 'contexts', { contextId: 'seed' });
  const events = Array.from({ length: 200 }, (_, n) => ({
    type: 'StepOutputAdded',
    data: { stepId: `s${n}`, output: n },
  }));
  await operated.call('POST', 'contexts/seed/events', { events });
}, limitMs);

afterAll(async () => {
  await browser.close();
  await projector?.stop();
  await server.stop();
  await operated.stop();
}, limitMs);

afterEach(async () => {
  expect(await browser.closePages()).toEqual([]);
});

const open = (path: string, options: object = {}): Promise<Page> =>
  browser.open(`/operations${path}`, { key: rootKey, ...options });

const status = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).waitFor();

const rows = (page: Page, list: string) =>
  page.getByRole('group', { name: list, exact: true }).getByRole('article');

/** Presses the keys one after the other. */
async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

async function expectTextOnly(page: Page): Promise<void> {
  expect(await page.locator('main img, main script, main a[href^="javascript"]').count()).toBe(0);
  expect(await page.getByRole('main').innerText()).not.toContain('\u202e');
}

async function keyOf(grant: object): Promise<string> {
  const { secret } = await operated.call('POST', 'keys', grant);
  return secret;
}

describe('projections', () => {
  it('are shown as stuck with the reason, and as current once a projector runs', async () => {
    const page = await open('');
    await waitFor('the first tab', () => page.url(), {
      until: (url) => url.endsWith('/operations/projections'),
    });
    const card = page.getByRole('region', { name: 'Projection shared-context' });
    await card.getByText('no projector is running').waitFor();
    await card.getByText('201 events are not applied').waitFor();
    await page.getByRole('heading', { name: 'There were no rebuilds yet' }).waitFor();
    expect(await browser.axe(page)).toEqual([]);
    projector = await startProjectorProcess(operated.env);
    await card.getByText('No lag: all events are applied').waitFor();
    expect(await card.getByRole('row').count()).toBeGreaterThan(1);
  }, 120_000);

  it('are rebuilt with the keyboard alone, and the rebuild is watched to its end', async () => {
    const page = await open('/projections');
    const button = page.getByRole('button', { name: 'Rebuild …' });
    await button.focus();
    await press(page, 'Enter', 'Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await waitFor('the focus', () => page.evaluate<string>('document.activeElement.innerText'), {
      until: (text) => text === 'Rebuild …',
    });
    await press(page, 'Enter');
    await page.getByRole('dialog', { name: 'Rebuild shared-context?' }).waitFor();
    expect(await browser.axe(page)).toEqual([]);
    await page.keyboard.type('100');
    await press(page, 'Tab', 'Space', 'Tab', 'Tab', 'Enter');
    await page.getByRole('progressbar', { name: 'of the rebuild of shared-context' }).waitFor();
    expect(await button.isDisabled()).toBe(true);
    expect(await browser.axe(page)).toEqual([]);
    await status(page, 'The old rows are retained until you confirm or restore them');
    await rows(page, 'Rebuilds').getByText('(all contexts), none differs').waitFor();
    expect(await page.getByRole('progressbar').count()).toBe(0);
    await page.getByRole('button', { name: 'Confirm …' }).focus();
    await press(page, 'Enter', 'Tab', 'Enter');
    await status(page, 'the old rows are deleted');
    const { items } = await operated.call('GET', 'jobs');
    expect(items).toMatchObject([{ state: 'done', rate: 100, verify: 'all' }]);
  }, 120_000);

  it('show a rebuild that another client requested, which is cancelled', async () => {
    const page = await open('/projections');
    await page.getByRole('heading', { name: 'Rebuilds' }).waitFor();
    await operated.call('POST', 'projections/shared-context/rebuild', { rate: 5 });
    await page.getByRole('button', { name: 'Cancel …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel the rebuild?' });
    await dialog.getByRole('button', { name: 'Cancel the rebuild' }).click();
    await status(page, 'The rows are the same as before the rebuild');
    await rows(page, 'Rebuilds').first().getByText('cancelled', { exact: true }).waitFor();
    const { items } = await operated.call('GET', 'jobs?limit=1');
    expect(items).toMatchObject([{ state: 'cancelled' }]);
  }, 120_000);
});

describe('dead letters', () => {
  it('are filtered, lead to their event, and are applied after the cause is fixed', async () => {
    const { db } = operated.database;
    const options = { key: rootKey, headers: { workspace: 'team' } };
    await server.post('/v1/contexts', { contextId: 'poisoned' }, options);
    await operated.caughtUp();
    await sql`alter table throughline.contexts add constraint ${sql.id(hostileConstraint)}
      check (context_id <> 'poisoned' or version < 2)`.execute(db);
    const empty = await open('/dead-letters');
    await empty.getByRole('heading', { name: 'There are no dead letters' }).waitFor();
    expect(await browser.axe(empty)).toEqual([]);
    const output = { stepId: 's', output: hostile };
    await server.post('/v1/contexts/poisoned/step-outputs', output, options);

    // The page reads the list again by itself.
    const page = empty;
    await rows(page, 'Dead letters').waitFor();
    await page.getByText('<img src=x onerror=alert(4)>').waitFor();
    await page.getByText('1 attempt,').waitFor();
    await expectTextOnly(page);
    expect(await browser.axe(page)).toEqual([]);
    await page.getByLabel('Workspace').fill('default');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('heading', { name: 'No dead letter matches' }).waitFor();
    expect(new URL(page.url()).search).toBe('?in=default');
    await page.getByLabel('Workspace').fill('team');
    await page.getByLabel('Type of the event').fill('StepOutputAdded');
    await page.getByLabel('Type of the event').press('Enter');
    await rows(page, 'Dead letters').waitFor();
    expect(new URL(page.url()).search).toBe('?in=team&type=StepOutputAdded');

    await page.getByRole('button', { name: 'Retry' }).click();
    await status(page, 'It failed again');
    await page.getByText('2 attempts,').waitFor();
    const other = await open('/dead-letters?context=poisoned');
    await other.getByRole('link', { name: 'poisoned, version 2' }).click();
    await other.getByRole('heading', { name: 'poisoned' }).waitFor();
    expect(new URL(other.url()).search).toBe('?workspace=team&event=2');

    await sql`alter table throughline.contexts drop constraint ${sql.id(hostileConstraint)}`.execute(
      db,
    );
    await page.getByRole('button', { name: 'Retry' }).click();
    await status(page, 'All events of poisoned are applied');
    await page.getByRole('heading', { name: 'No dead letter matches' }).waitFor();
    expect((await operated.call('GET', 'dead-letters')).items).toEqual([]);
  }, 120_000);
});

describe('keys', () => {
  it('are created, show their secret once, are used and revoked', async () => {
    const page = await open('/keys');
    await page.getByRole('heading', { name: 'The workspace has no keys yet' }).waitFor();
    await page.getByRole('link', { name: 'Create a key' }).click();
    expect(new URL(page.url()).search).toBe('?create=key');
    await page.getByLabel('Audiences').fill('nobody');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByRole('alert').getByText('there is no audience "nobody"').waitFor();
    await page.getByLabel('Audiences').fill('developer\nreviewer');
    await page.getByLabel('Agent', { exact: true }).fill(hostile);
    await page.getByLabel('Only these workflows').fill(`release\n${hostile}`);
    await page.getByLabel('Expires').fill('2999-01-01T10:00');
    expect(await browser.axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create the key' }).click();

    const created = page.getByRole('region', { name: 'The new key' });
    const secret = await created.getByLabel('Secret').inputValue();
    await created.getByRole('button', { name: 'Copy' }).click();
    await created.getByText(/^Copied$|the secret is selected/).waitFor();
    await expectTextOnly(page);
    expect(await browser.axe(page)).toEqual([]);
    const { body: me } = await server.get('/v1/me', { key: secret });
    expect(me).toMatchObject({
      principal: hostile,
      role: 'agent',
      audiences: ['developer', 'reviewer'],
      workflows: ['release', hostile],
    });
    await created.getByRole('button', { name: 'I have stored it' }).click();
    await page.reload();
    await rows(page, 'Keys').getByText('<img src=x onerror=alert(1)>').first().waitFor();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: 'Revoke …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke the key?' });
    await dialog.getByText('<img src=x onerror=alert(1)>').waitFor();
    expect(await browser.axe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Revoke the key' }).click();
    await rows(page, 'Keys').getByText('revoked', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Revoke …' }).count()).toBe(0);
    expect((await server.get('/v1/me', { key: secret })).status).toBe(401);
    await expectTextOnly(page);
  });
});

describe('agents', () => {
  it('are shown with their contracts, and lead to their inboxes and contexts', async () => {
    const page = await open('/agents');
    await page.getByRole('heading', { name: 'No agent is registered' }).waitFor();
    await operated.call('POST', 'agents', {
      agentId: hostile,
      name: `Ada ${hostile}`,
      role: `analyst ${hostile}`,
      kind: 'llm',
      persona: hostile,
      template: hostile,
      contract: {
        inputs: { brief: { path: 'analyst.outputs.brief', mustContain: [hostile] } },
        outputs: { [hostile]: {} },
      },
    });
    await page.reload();
    const [row] = await waitFor('the agent', () => rows(page, 'Agents').all(), {
      until: ({ length }) => length === 1,
    });
    await row?.getByText('1 input, 1 output').waitFor();
    await row?.getByRole('button', { name: 'Contract and settings' }).click();
    await row?.getByText('analyst.outputs.brief').waitFor();
    expect(new URL(page.url()).searchParams.get('agent')).toBe(hostile);
    await expectTextOnly(page);
    expect(await browser.axe(page)).toEqual([]);
    await row?.getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('heading', { name: 'Nothing waits for this agent' }).waitFor();
    await page.goBack();
    await page.getByText('analyst.outputs.brief').waitFor();
    await page
      .getByRole('group', { name: 'Agents' })
      .getByRole('link', { name: 'Contexts' })
      .click();
    await page.getByRole('heading', { name: 'No context matches' }).waitFor();
    expect(new URL(page.url()).searchParams.get('agent')).toBe(hostile);
  });
});

describe('a key with fewer rights', () => {
  const parts = (page: Page) =>
    page.getByRole('navigation', { name: 'Parts of the operations' }).getByRole('link');

  it('of an auditor reads keys and agents, and changes nothing', async () => {
    const page = await open('', { key: await keyOf({ role: 'auditor' }) });
    await rows(page, 'Keys').getByText('auditor', { exact: true }).first().waitFor();
    expect(await parts(page).allInnerTexts()).toEqual(['Keys', 'Agents']);
    expect(await page.getByRole('link', { name: 'Create a key' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Revoke …' }).count()).toBe(0);
    expect(await browser.axe(page)).toEqual([]);
    await page.goto(browser.addressOf('/operations/keys?create=key'));
    await rows(page, 'Keys').first().waitFor();
    expect(await page.getByRole('form', { name: 'Create a key' }).count()).toBe(0);
  });

  it.each(['projections', 'dead-letters'])('gets the refusal of the server at %s', async (part) => {
    const page = await open(`/${part}`, { key: await keyOf({ role: 'admin' }) });
    await page.getByRole('alert').getByText('root key').waitFor();
    expect(await browser.axe(page)).toEqual([]);
  });

  it('of an operator reads agents, and that of an agent has no operations', async () => {
    const operator = await open('', { key: await keyOf({ role: 'operator' }) });
    await operator.getByRole('heading', { name: 'Agents' }).waitFor();
    expect(await parts(operator).allInnerTexts()).toEqual(['Agents']);
    await operator.goto(browser.addressOf('/operations/keys'));
    await operator.getByRole('alert').waitFor();
    const agent = await browser.open('/', { key: await keyOf({ role: 'agent', agentId: 'bob' }) });
    const entries = agent.getByRole('navigation', { name: 'Main' }).getByRole('link');
    expect(await entries.allInnerTexts()).not.toContain('Operations');
  });
});
