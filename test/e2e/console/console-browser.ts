import { createRequire } from 'node:module';

import { type Browser, type BrowserContext, type Page } from 'playwright-core';

import { launchBrowser } from '../launch-browser.js';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Tags of the rules of axe that every page follows. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** A rule of axe that a page breaks, and the elements that break it. */
type AxeViolation = Readonly<{ id: string; nodes: readonly Readonly<{ html: string }>[] }>;

type SignedIn = Readonly<{ key: string; workspace?: string }>;

/**
 * A browser that opens the console. It collects what must not happen on any page: violations of the content security policy, errors of
 * scripts, and dialogs, which only injected code opens.
 */
export class ConsoleBrowser {
  private readonly faults: string[] = [];
  /** Sessions by their keys and options. */
  readonly #sessions = new Map<string, BrowserContext>();

  private constructor(
    private readonly browser: Browser,
    readonly url: string,
  ) {}

  static async launch(url: string): Promise<ConsoleBrowser> {
    return new ConsoleBrowser(await launchBrowser(), url);
  }

  /** A new tab at a path below /console, signed in with a key. Tabs with the same key and options share a session. */
  async open(
    path: string,
    { key, workspace, ...options }: SignedIn & Parameters<Browser['newContext']>[0],
  ): Promise<Page> {
    const address = this.addressOf(path, workspace);
    const name = JSON.stringify([key, options]);
    const session = this.#sessions.get(name);
    if (session) {
      const page = await this.pageIn(session);
      await page.goto(address);
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      return page;
    }
    const page = await this.signIn(await this.page(options), address, key);
    this.#sessions.set(name, page.context());
    return page;
  }

  /** Signs in with a key at an address. */
  async signIn(page: Page, address: string, key: string): Promise<Page> {
    await page.goto(address);
    await page.getByLabel('Key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    return page;
  }

  /** A page without a session. */
  async page(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    return this.pageIn(await this.browser.newContext({ colorScheme: 'light', ...options }));
  }

  /** Another tab of the same session. */
  async pageIn(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => this.faults.push(`script: ${message}`));
    page.on('dialog', (dialog) => {
      this.faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.exposeFunction('reportViolation', (text: string) => this.faults.push(text));
    // As text: these run in the browser, whose types the tests do not have.
    await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
      reportViolation('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`);
    return page;
  }

  /** Rules of WCAG 2.2 AA that the page breaks now, light and dark. */
  async axe(page: Page): Promise<readonly string[]> {
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await this.#violations(page);
    await page.emulateMedia({ colorScheme: 'light' });
    return [...(await this.#violations(page)), ...dark];
  }

  async #violations(page: Page): Promise<readonly string[]> {
    // Injected by the debugger, which the policy of the page does not concern.
    await page.evaluate(await readAxe());
    const violations = await page.evaluate<readonly AxeViolation[]>(
      `axe.run({ runOnly: ${JSON.stringify(rules)} }).then(({ violations }) => violations)`,
    );
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  /**
   * Closes all pages and returns what must not have happened on them. Open pages have live streams, and a browser opens only
   * six connections to a server.
   */
  async closePages(): Promise<readonly string[]> {
    const pages = this.browser.contexts().flatMap((context) => context.pages());
    await Promise.all(pages.map((page) => page.close()));
    return this.faults.splice(0);
  }

  async close(): Promise<void> {
    await this.browser.close();
  }

  /** The address of a path below /console. */
  addressOf(path: string, workspace?: string): string {
    const address = new URL(`/console${path}`, this.url);
    if (workspace !== undefined) address.searchParams.set('workspace', workspace);
    return address.href;
  }
}

let axeSource: Promise<string> | undefined;

function readAxe(): Promise<string> {
  axeSource ??= import('node:fs/promises').then(({ readFile }) => readFile(axePath, 'utf8'));
  return axeSource;
}
