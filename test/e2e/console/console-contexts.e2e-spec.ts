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
  await server.post('/v1/contexts', { contextId: 'login', title: hostile });
  const path = '/v1/contexts/login';
  await server.post(`${path}/step-outputs`, {
    stepId: 'design',
    output: { [hostile]: hostile, files: ['a.ts'] },
    agentId: 'architect',
  });
  await server.post(`${path}/decisions`, { topic: 'storage', decision: hostile, rationale: 'r' });
  await server.post(`${path}/handovers`, { to: 'builder', note: hostile, priority: 'high' });
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

/** Browsers without a screen show every page: the page gets the state and the event of a hidden one. */
const setVisibility = (page: Page, state: 'hidden' | 'visible'): Promise<unknown> =>
  page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`);

describe('the console', () => {
  it('signs in, lists contexts, and opens the timeline of one', async () => {
    const page = await open('');
    await page.getByRole('link', { name: /img src=x/ }).click();
    await page.getByRole('group', { name: 'Events' }).getByText('step output added').waitFor();
    const rows = await page.getByRole('listitem').allInnerTexts();
    expect(rows).toHaveLength(4);
    expect(rows[1]).toMatch(/v2\s+architect\s+step output added\s+design/);
    expect(page.url()).toContain('/console/contexts/login');
  });

  it('renders text of agents as text, with control characters as code points', async () => {
    const page = await open('/contexts/login/document');
    await page.getByRole('region', { name: /^The document/ }).waitFor();
    const text = await page.getByRole('main').innerText();
    expect(text).toContain('<img src=x onerror=alert(1)>');
    expect(text).toContain('\u27e8U+202E\u27e9');
    expect(text).not.toContain('\u202e');
    expect(await page.locator('main img, main script, main a[href^="javascript"]').count()).toBe(0);
  });

  it('moves the timeline and the document to the version of the slider, which is in the address', async () => {
    const page = await open('/contexts/login');
    await page.getByRole('slider', { name: 'Version' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(page.url()).toContain('at=2');
    await page.getByText('2 of 4').waitFor();
    await page.getByText('v3', { exact: true }).waitFor({ state: 'detached' });
    expect(await page.getByRole('listitem').count()).toBe(2);
    await page.getByRole('link', { name: 'Document' }).click();
    await page.getByRole('region', { name: 'The document at version 2' }).waitFor();
    await page.reload();
    await page.getByText('2 of 4').waitFor();
  });

  it('shows the newest version, with a note, if the one in the address does not exist', async () => {
    const page = await open('/contexts/login?at=999');
    await page.getByText('The context has no version “999”.').waitFor();
    await page.getByText(/\(newest\)/).waitFor();
    await page.getByRole('navigation', { name: 'Views of the context' }).getByText('Audit').click();
    await page.getByText('valid from version 1').waitFor();
  });

  it('shows a new event without a reload', async () => {
    const page = await open('/contexts/login');
    await page.getByText('4 of 4 (newest)').waitFor();
    await server.post('/v1/contexts/login/step-outputs', { stepId: 'build', output: 1 });
    await page.getByText('5 of 5 (newest)').waitFor();
    await page.getByText('step output added').nth(1).waitFor();
  });

  it.each<[string, string]>([
    ['', 'Contexts'],
    ['/contexts/login', 'Events'],
    ['/contexts/login/document', 'The document at version'],
    ['/no-such-page', 'There is no such page'],
  ])('breaks no rule of accessibility at "%s", light and dark', async (path, content) => {
    const page = await open(path);
    await page
      .locator(`main :is([aria-label^="${content}"], h1:text("${content}"))`)
      .first()
      .waitFor();
    expect(await browser.axe(page)).toEqual([]);
  });

  it('is used with the keyboard alone', async () => {
    const page = await open('');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('main');
    await page.getByRole('link', { name: /img src=x/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /v3/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('DecisionRecorded').waitFor();
    expect(page.url()).toContain('event=3');
  });

  it('reports a workspace in the address that cannot be one', async () => {
    const page = await open('');
    await page.goto(browser.addressOf('', '\u65e5\n'));
    await page.getByRole('alert').getByText('must be the name of a workspace').waitFor();
  });

  it('reports a sign-out that does not reach the server, and stays signed in', async () => {
    const address = browser.addressOf('', server.workspace);
    const page = await browser.signIn(await browser.page(), address, rootKey);
    await page.route('**/console/session', (route) => route.abort());
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('alert').getByText('Not signed out').waitFor();
    await page.unroute('**/console/session');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('continues its stream when it becomes visible again, and reads one answer at a time', async () => {
    const path = await server.context('streamed', { key: rootKey });
    const page = await open('/contexts/streamed/document');
    await page.getByText('1 of 1 (newest)').waitFor();
    await server.post(`${path}/step-outputs`, { stepId: 'a', output: 1 });
    await page.getByText('2 of 2 (newest)').waitFor();
    await setVisibility(page, 'hidden');
    const resumed = page.waitForRequest(/streamed\/stream/);
    await setVisibility(page, 'visible');
    expect((await (await resumed).allHeaders())['last-event-id']).toContain('2');

    let cancelled = 0;
    page.on('requestfailed', () => (cancelled += 1));
    await page.route(/\/v1\/contexts\/streamed\?/, async (route) => {
      const answer = await route.fetch();
      // Longer than changes are collected.
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.fulfill({ response: answer });
    });
    for (let output = 2; output <= 12; output += 1) {
      await server.post(`${path}/step-outputs`, { stepId: 'a', output });
      await page.waitForTimeout(100);
    }
    await page.getByText('13 of 13 (newest)').waitFor();
    expect(cancelled).toBe(0);
  });

  it('signs out', async () => {
    const address = browser.addressOf('', server.workspace);
    const page = await browser.signIn(await browser.page(), address, rootKey);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('signs in with a link instead of the session of another key', async () => {
    const page = await browser.open('/contexts/login', {
      key: await server.key({ role: 'auditor' }),
    });
    // The server accepts its own codes only: a key takes the place of the code.
    const postData = JSON.stringify({ key: await server.key({ role: 'operator' }) });
    await page.route('**/console/session', (route) => route.continue({ postData }));
    await page.goto('about:blank');
    await page.goto(`${browser.addressOf('/contexts/login')}#sign-in=dW51c2Vk`);
    await page.getByText('· operator ·').waitFor();
    expect(page.url()).not.toContain('#');
  });

  it('keeps a session if a sign-in link is refused, and removes its code from the address', async () => {
    const page = await open('');
    await page.goto('about:blank');
    await page.goto(`${browser.addressOf('', server.workspace)}#sign-in=dXNlZC1iZWZvcmU`);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(page.url()).not.toContain('#');
  });

  it('shows the sign-in with the reason if a sign-in link is refused without a session', async () => {
    const page = await browser.page();
    await page.goto(`${browser.addressOf('', server.workspace)}#sign-in=dXNlZC1iZWZvcmU`);
    await page.getByRole('alert').getByText('the link was used before').waitFor();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(page.url()).not.toContain('#');
  });

  it('states on the sign-in that a page without TLS has no session', async () => {
    const page = await browser.page();
    await page.route('http://console.example/**', async (route) => {
      const { pathname } = new URL(route.request().url());
      const headers = { 'x-throughline-console': '1' };
      const response = await route.fetch({ url: `${server.url}${pathname}`, headers });
      await route.fulfill({ response });
    });
    await page.goto('http://console.example/console');
    await page.getByText('the browser does not store the session').waitFor();
    await page.goto(browser.addressOf(''));
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('the browser does not store the session').count()).toBe(0);
  });

  it('reloads the other tabs after a sign-out, so that they show the sign-in', async () => {
    const address = browser.addressOf('', server.workspace);
    const page = await browser.signIn(await browser.page(), address, rootKey);
    const other = await browser.pageIn(page.context());
    await other.goto(address);
    await other.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('shows the sign-in without a reload after the key was revoked', async () => {
    const { body: key } = await server.post('/v1/keys', { role: 'admin', audiences: ['all'] });
    const page = await browser.open('/contexts/login', { key: key.secret });
    await page.getByRole('group', { name: 'Events' }).waitFor();
    await server.call('DELETE', `/v1/keys/${key.keyId}`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('group', { name: 'Events' }).count()).toBe(0);
  });

  it('lists what needs attention first, with a link to the screen for each reason', async () => {
    const path = await server.context('pending', { key: rootKey });
    await server.post(`${path}/decisions`, {
      topic: 'broker',
      decision: hostile,
      rationale: 'r',
      requiresApproval: true,
    });
    const page = await open('');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByRole('link', { name: 'pending', exact: true }).waitFor();
    await attention.getByRole('link', { name: 'a decision waits for an approval' }).click();
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    expect(await page.getByLabel('In the context').inputValue()).toBe('pending');
    await server.post(`${path}/decisions/DEC-001/approve`);
    await page.goBack();
    await attention.waitFor({ state: 'detached' });
  });
});
