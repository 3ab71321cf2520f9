import { readFile } from 'node:fs/promises';

import { type Page } from 'playwright-core';

import { sized, waitFor } from '#testing';

import { caughtUp } from '../caught-up.js';
import { type ServerDatabase, openServerDatabase } from '../server-stores.js';
import { rootKey, ThroughlineServer } from '../throughline-server.js';
import { ConsoleBrowser } from './console-browser.js';

const hostile =
  '<img src=x onerror=alert(1)><script>alert(2)</script>[x](javascript:alert(3)) \u202egnitnuocca';

let stores: ServerDatabase;
let server: ThroughlineServer;
let browser: ConsoleBrowser;
let receipt: string;

beforeAll(async () => {
  stores = await openServerDatabase();
  // The events are in PostgreSQL, so that a test can change one of them.
  server = await ThroughlineServer.start({ ...stores.env, EVENTSTORE_URL: '' });
  browser = await ConsoleBrowser.launch(server.url);
  await fillLogin();
  await breakChain('broken');
  for (const n of [1, 2, 3]) await server.context(`more-${n}`);
  await caughtUp(server);
}, 120_000);

afterAll(async () => {
  await browser.close();
  await server.stop();
  await stores.close();
});

afterEach(async () => {
  expect(await browser.closePages()).toEqual([]);
});

/** A context with hostile text everywhere, a decision that cites a read, and a policy with hostile names. */
async function fillLogin(): Promise<void> {
  await server.post('/v1/contexts', { contextId: 'login', title: `Login ${hostile}` });
  const path = '/v1/contexts/login';
  await server.post(`${path}/step-outputs`, { stepId: 'build', output: hostile });
  const handover = { to: 'bob', note: hostile, relatedArtifacts: [`a/${hostile}`] };
  expect((await server.post(`${path}/handovers`, handover)).status).toBe(201);
  const read = await server.get(path);
  receipt = String(read.headers['receipt']);
  const decision = { topic: 'store', decision: hostile, alternativesConsidered: ['files'] };
  const headers = { 'based-on': receipt };
  expect((await server.post(`${path}/decisions`, decision, { headers })).status).toBe(201);
  const policy = {
    show: [{ types: ['DecisionRecorded'], authors: [hostile], without: ['tradeOffs'] }],
    hide: [{ types: ['*'], steps: [hostile] }],
  };
  const put = await server.call('PUT', '/v1/policies/medics', { body: policy });
  expect(put.status).toBe(200);
}

/** A context whose second event was changed in the database. */
async function breakChain(contextId: string): Promise<void> {
  const path = await server.context(contextId);
  await server.post(`${path}/step-outputs`, { stepId: 'plan', output: 'honest' });
  await server.post(`${path}/step-outputs`, { stepId: 'build', output: 'honest' });
  const { rowCount } = await changeEvent(contextId);
  expect(rowCount).toBe(1);
}

async function changeEvent(contextId: string) {
  const client = await stores.database.pool.connect();
  try {
    // Without triggers, which refuse changes of events.
    await client.query('begin; set local session_replication_role = replica');
    const changed = await client.query(
      `update throughline.events set data = replace(data, 'honest', 'forged') where version = 2
       and stream_id = (select stream_id from throughline.streams where stream = $1)`,
      [`context-default:${contextId}`],
    );
    await client.query('commit');
    return changed;
  } finally {
    client.release();
  }
}

const open = (path: string, options: object = {}): Promise<Page> =>
  browser.open(path, { key: rootKey, ...options });

const contextButton = (page: Page, name: string | RegExp) =>
  page.getByRole('group', { name: 'Contexts to select' }).getByRole('button', { name });

const expectTextOnly = async (page: Page): Promise<void> => {
  const text = await page.getByRole('main').innerText();
  expect(text).toContain('<img src=x onerror=alert(1)>');
  expect(text).toContain('\u27e8U+202E\u27e9');
  expect(text).not.toContain('\u202e');
  expect(await page.locator('main :is(img, script, a[href^="javascript"])').count()).toBe(0);
};

describe('the verification', () => {
  it('states in words that a chain is valid, and whether the record is consistent', async () => {
    const { body } = await server.get('/v1/contexts/login/verify');
    const page = await open('/audit?q=Login');
    await contextButton(page, /Login/).click();
    const chain = page.getByRole('region', { name: 'Hash chain' });
    await chain.getByText(`valid from version 1 to version ${body.events}`).waitFor();
    await chain.getByText(body.lastHash).waitFor();
    const { body: check } = await server.get('/v1/contexts/login/check');
    const findings = page.getByRole('region', { name: 'Consistency' });
    await findings.getByText('The record is not consistent').waitFor();
    expect(await findings.getByRole('listitem').count()).toBe(check.findings.length);
    await expectTextOnly(page);
    expect(page.url()).toContain('context=login');
    await page.reload();
    await chain.getByText(body.lastHash).waitFor();
  });

  it('names the version at which a chain is broken, and the valid part before it', async () => {
    const page = await open('/audit?context=broken');
    const chain = page.getByRole('region', { name: 'Hash chain' });
    await chain.getByText('The chain is broken at version 2.').waitFor();
    await chain.getByText('Version 1 is valid.').waitFor();
    await chain.getByText('wrong-hash').waitFor();
    const { body } = await server.get('/v1/contexts/broken/verify');
    await chain.getByText(body.lastHash).waitFor();
  });

  it('verifies all listed contexts, and marks the broken one', async () => {
    const page = await open('/audit');
    await page.getByRole('button', { name: 'Verify the 5 listed contexts' }).click();
    await page.getByRole('status').getByText('5 of 5, 1 broken').waitFor();
    await contextButton(page, /broken at version 2/).waitFor();
    await contextButton(page, /Login.*valid, 4 events/s).waitFor();
  });

  it('stops between two contexts', async () => {
    const page = await open('/audit');
    const verified: string[] = [];
    const held = Promise.withResolvers<void>();
    await page.route('**/verify', async (route) => {
      verified.push(route.request().url());
      await held.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Verify the 5 listed contexts' }).click();
    await waitFor('three requests', () => Promise.resolve(verified.length), {
      until: (count) => count === 3,
    });
    await page.getByRole('button', { name: 'Stop' }).click();
    held.resolve();
    await page.getByRole('status').getByText('0 of 5, 0 broken, stopped').waitFor();
    await page.getByRole('button', { name: 'Verify the 5 listed contexts' }).waitFor();
    expect(verified).toHaveLength(3);
  });
});

describe('a receipt', () => {
  it('is looked up, and proves a read on which events are based', async () => {
    const page = await open('/audit/receipts');
    await page.getByRole('textbox', { name: 'Receipt' }).fill(receipt);
    await page.getByRole('button', { name: 'Look up' }).click();
    const { body } = await server.get(`/v1/receipts/${receipt}`);
    await page.getByText(body.hash).waitFor();
    await page.getByText('It is stored, because a write cites it.').waitFor();
    await page.getByRole('listitem').getByText('login v4: decision recorded').waitFor();
    await expectTextOnly(page);
    expect(page.url()).toContain(`receipt=${receipt}`);
  });

  it('is refused if the server did not issue it', async () => {
    const page = await open(`/audit/receipts?receipt=${encodeURIComponent(hostile)}`);
    await page.getByRole('alert').waitFor();
    expect(await page.locator('main :is(img, script)').count()).toBe(0);
  });
});

describe('an export', () => {
  const download = async (page: Page) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
  };

  it('is the file that the API returns, byte for byte', async () => {
    const page = await open('/audit/export');
    await contextButton(page, /Login/).click();
    const { name, text } = await download(page);
    const { text: expected } = await server.get('/v1/contexts/login/export?format=events-jsonl');
    expect(name).toBe('login.events.jsonl');
    expect(text).toBe(expected);
    await page.getByRole('status').getByText('Saved as login.events.jsonl').waitFor();
    await page.getByText('throughline verify login').waitFor();
    await expectTextOnly(page);
  });

  it('is a document for an audience and a version that the address contains', async () => {
    const page = await open('/audit/export?context=login');
    await page.getByLabel('Format').selectOption('report-markdown');
    await page.getByLabel('Audience').fill('reviewer');
    await page.getByLabel('Audience').press('Enter');
    await page.getByLabel('At version or time').fill('3');
    await page.getByLabel('At version or time').press('Enter');
    await page.waitForURL(/format=report-markdown.*audience=reviewer.*asOf=3/);
    const { name, text } = await download(page);
    const query = 'format=report-markdown&audience=reviewer&asOf=3';
    const { text: expected } = await server.get(`/v1/contexts/login/export?${query}`);
    expect([name, text]).toEqual(['login.report-markdown.md', expected]);
  });

  it('has all formats that the API has', async () => {
    const { body } = await server.get('/openapi.json');
    const { parameters } = body.paths['/v1/contexts/{contextId}/export'].get;
    const isFormat = ({ name }: { name: string }) => name === 'format';
    const page = await open('/audit/export?context=login');
    await page.getByLabel('Format').waitFor();
    const options = await page.getByLabel('Format').locator('option').all();
    const values = await Promise.all(options.map((option) => option.getAttribute('value')));
    expect(values.toSorted()).toEqual(parameters.find(isFormat).schema.enum.toSorted());
  });

  it('of a broken chain is not saved', async () => {
    const page = await open('/audit/export?context=broken');
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('alert').getByText('broken at version 2 (wrong-hash)').waitFor();
    await page.getByText('Nothing was saved').waitFor();
  });

  it('shows why the server refuses it', async () => {
    const page = await open('/audit/export?context=login&format=report-markdown&asOf=99');
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('alert').getByText('99').waitFor();
  });
});

describe('the policies', () => {
  it('are listed for all audiences, and stated in words', async () => {
    const page = await open('/audit/policies');
    await page.getByRole('button', { name: 'reviewer' }).click();
    const policy = page.getByRole('region', { name: 'Policy' });
    await policy.getByText('without alternatives considered').waitFor();
    await policy.getByText('Decisions are visible only while they are in force.').waitFor();
    expect(page.url()).toContain('audience=reviewer');
    await page.getByRole('button', { name: 'medics' }).click();
    await policy.getByText('without trade offs').waitFor();
    await expectTextOnly(page);
    const buttons = page.getByRole('region', { name: 'Audiences' }).getByRole('button');
    expect(await buttons.count()).toBe(6);
  });
});

describe('the comparison of audiences', () => {
  const cell = async (page: Page, table: string, [row, column]: readonly [string, string]) => {
    const matrix = page.getByRole('table', { name: table });
    const columns = await matrix.getByRole('columnheader').allInnerTexts();
    const cells = matrix.getByRole('row').filter({
      has: page.getByRole('rowheader', { name: row, exact: true }),
    });
    return cells
      .getByRole('cell')
      .nth(columns.indexOf(column) - 1)
      .innerText();
  };

  it('states for each type of events what each audience sees', async () => {
    const page = await open('/audit/visibility?audiences=all,medics,reviewer');
    const table = 'What the policies show of events';
    await page.getByRole('table', { name: table }).waitFor();
    const at = (row: string, column: string) => cell(page, table, [row, column]);
    expect(await at('decision recorded', 'all')).toBe('everything');
    expect(await at('decision recorded', 'medics')).toBe('some of the record, without trade offs');
    expect(await at('decision recorded', 'reviewer')).toBe(
      'some of the record, without alternatives considered',
    );
    expect(await at('step output added', 'reviewer')).toBe('nothing');
    await page.getByRole('checkbox', { name: 'medics' }).uncheck();
    await page.waitForURL(/audiences=all%2Creviewer/);
  });

  it('states for each part of a context what each audience reads, and follows it', async () => {
    const page = await open('/audit/visibility?context=login&audiences=all,reviewer');
    const table = 'What audiences read of the document';
    await page.getByRole('table', { name: table }).getByText('without alternatives').waitFor();
    const at = (row: string, column: string) => cell(page, table, [row, column]);
    expect(await at('decision history', 'all')).toBe('everything');
    expect(await at('decision history', 'reviewer')).toBe('without alternatives considered');
    expect(await at('step outputs', 'reviewer')).toBe('nothing');
    expect(await at('title', 'reviewer')).toBe('everything');
    await expectTextOnly(page);
    const risk = { severity: 'high', description: 'Late' };
    await server.post('/v1/contexts/login/risks', risk);
    await page.getByRole('rowheader', { name: 'risks', exact: true }).waitFor();
    const matrix = page.getByRole('table', { name: table });
    await matrix.getByRole('link', { name: 'reviewer' }).click();
    await page.waitForURL(/contexts\/login\/view\?audience=reviewer/);
  });
});

describe('the audit', () => {
  /** A page of each part; the full size adds their other states. */
  const screens: [path: string, region: string][] = [
    ['/audit?context=broken', 'Hash chain'],
    ['/audit/receipts?receipt=$receipt', 'The returned text'],
    ['/audit/export?context=login', 'Export'],
    ['/audit/policies?audience=reviewer', 'Policy'],
    ['/audit/visibility?context=login', 'What audiences read of the document'],
  ];
  const otherStates: [path: string, region: string][] = [
    ['/audit', 'Contexts'],
    ['/audit?q=nothing-matches', 'Contexts'],
    ['/audit?context=login', 'Consistency'],
    ['/audit/receipts', 'Receipt'],
  ];

  it.each(sized(screens, [...screens, ...otherStates]))(
    'breaks no rule of accessibility at %s, light and dark',
    async (path, region) => {
      const page = await open(path.replace('$receipt', receipt));
      await page.getByRole('region', { name: region }).waitFor();
      await waitFor('the content', () => page.getByText('Loading …').count(), {
        until: (count) => count === 0,
      });
      expect(await browser.axe(page)).toEqual([]);
    },
  );

  it('is walked with the keyboard alone', async () => {
    const page = await open('/audit');
    await contextButton(page, /broken/).focus();
    await page.keyboard.press('Enter');
    await page.getByText('The chain is broken at version 2.').waitFor();
    await page.getByRole('link', { name: 'Policies' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'medics' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('region', { name: 'Policy' }).waitFor();
    await page.getByRole('link', { name: 'Verification' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('The chain is broken at version 2.').waitFor();
  });

  it('fits on a phone', async () => {
    const page = await open('/audit?context=login', { viewport: { width: 390, height: 800 } });
    await page.getByText('valid from version 1').waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
  });

  it('is for auditors, who have all of it', async () => {
    const key = await server.key({ role: 'auditor' });
    const page = await browser.open('/audit?context=login', { key });
    await page.getByText('valid from version 1').waitFor();
    await page.getByRole('button', { name: /Verify the/ }).waitFor();
  });

  it('shows an agent of a narrower audience what the server refuses, and offers it nothing more', async () => {
    const grant = { role: 'agent', agentId: 'rev', audiences: ['reviewer'] };
    const page = await browser.open('/audit?context=login', { key: await server.key(grant) });
    const main = page.getByRole('navigation', { name: 'Main' });
    expect(await main.getByRole('link', { name: 'Audit' }).count()).toBe(0);
    const chain = page.getByRole('region', { name: 'Hash chain' });
    await chain.getByRole('alert').waitFor();
    expect(await page.getByRole('button', { name: /Verify the/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Export' }).click();
    const formats = await page.getByLabel('Format').innerText();
    expect(formats).not.toContain('events-jsonl');
    await page.getByRole('link', { name: 'Who sees what' }).click();
    const refusal = page.getByRole('main').getByRole('alert');
    await refusal.getByText('The key may not do this').waitFor();
  });
});
