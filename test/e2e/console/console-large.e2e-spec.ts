import { type Page } from 'playwright-core';

import { caughtUp } from '../caught-up.js';
import { rootKey, ThroughlineServer } from '../throughline-server.js';
import { ConsoleBrowser } from './console-browser.js';

/** Versions of the large context, with its creation. */
const versions = 10_000;
const perAppend = 500;
const contexts = 250;
/** Rows that a list renders at most, regardless of the number of its entries: the visible ones and some around them. */
const maxRendered = 60;

let server: ThroughlineServer;
let browser: ConsoleBrowser;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  browser = await ConsoleBrowser.launch(server.url);
  const path = await server.context('large');
  for (let from = 2; from <= versions; from += perAppend) {
    const count = Math.min(perAppend, versions + 1 - from);
    const events = Array.from({ length: count }, (_, nth) => ({
      type: 'StepOutputAdded',
      data: { stepId: `step-${from + nth}`, output: { text: 'It is done. '.repeat(20) } },
    }));
    expect((await server.post(`${path}/events`, { events })).status).toBe(201);
  }
  for (let nth = 1; nth <= contexts; nth += 1) await server.context(`context-${nth}`);
  await caughtUp(server);
}, 240_000);

afterAll(async () => {
  await browser.close();
  await server.stop();
});

afterEach(async () => {
  expect(await browser.closePages()).toEqual([]);
});

/** Opens a page and counts its requests to the API whose paths end with `suffix`. */
async function opened(path: string, suffix: string) {
  const page = await browser.open('/no-such-page', { key: rootKey, workspace: server.workspace });
  const requests: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith(suffix)) requests.push(request.url());
  });
  const { search } = new URL(page.url());
  await page.goto(
    `${server.url}/console${path}${path.includes('?') ? search.replace('?', '&') : search}`,
  );
  return { page, requests };
}

const isFirstEvent = (url: string) => new URL(url).searchParams.get('limit') === '1';

/** The requests for pages of the timeline. */
const pagesIn = (requests: readonly string[]) => requests.filter((url) => !isFirstEvent(url));

const rowsOf = (page: Page, label: string) =>
  page.getByRole('group', { name: label }).getByRole('listitem');

describe('a context with 10,000 events', () => {
  it('has a timeline that reads and renders only visible events', async () => {
    const { page, requests } = await opened('/contexts/large', '/events');
    const list = page.getByRole('group', { name: 'Events' });
    await list.getByText(/^step-9 /).waitFor();
    expect(pagesIn(requests)).toHaveLength(1);
    await list.focus();
    await page.keyboard.press('End');
    await list.getByText(/^step-10000 /).waitFor();
    expect(await rowsOf(page, 'Events').count()).toBeLessThan(maxRendered);
    // The first page, the last one, and those at which the list stopped on its way, if it did.
    expect(pagesIn(requests).length).toBeLessThanOrEqual(6);
    // The head reads the first event, which states the source of a fork, once.
    expect(requests.filter(isFirstEvent)).toHaveLength(1);
  });

  it('opens at an event in the address, and moves with the slider', async () => {
    const { page, requests } = await opened('/contexts/large?event=7000', '/events');
    await page.getByText('StepOutputAdded').waitFor();
    await page
      .getByText(/^step-7000 /)
      .first()
      .waitFor();
    expect(pagesIn(requests).length).toBeLessThanOrEqual(3);
    expect(requests.filter(isFirstEvent)).toHaveLength(1);
    await page.getByRole('slider', { name: 'Version' }).fill('5000');
    await page.getByText('5000 of 10000').waitFor();
    await page.getByLabel('Order').selectOption('newest');
    await page.getByText(/^step-5000 /).waitFor();
    expect(page.url()).toContain('at=5000');
  });

  it('has a document whose closed parts are not rendered', async () => {
    const { page } = await opened('/contexts/large/document', '/large');
    await page.getByRole('region', { name: /^The document/ }).waitFor();
    expect(await page.locator('details').count()).toBeLessThan(500);
  });
});

describe('a list of many contexts', () => {
  it('reads and renders a part, and more at its end', async () => {
    const { page, requests } = await opened('', '/v1/contexts');
    const list = page.getByRole('group', { name: 'Contexts' });
    await list.getByText(`context-${contexts}`, { exact: true }).first().waitFor();
    expect(await rowsOf(page, 'Contexts').count()).toBeLessThan(maxRendered);
    const pages = requests.filter((url) => !url.includes('attention=')).length;
    expect(pages).toBe(1);
    await list.focus();
    for (let loaded = 100; loaded < contexts; loaded += 100) {
      await page.keyboard.press('End');
      await list
        .getByText(`context-${contexts - loaded}`, { exact: true })
        .first()
        .waitFor();
    }
    await page.keyboard.press('End');
    await list.getByRole('link', { name: 'large' }).waitFor();
    expect(await rowsOf(page, 'Contexts').count()).toBeLessThan(maxRendered);
  });
});
