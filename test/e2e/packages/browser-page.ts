import { createReadStream } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

import { type Browser, type Page } from 'playwright-core';

import { launchBrowser } from '../launch-browser.js';

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' };

/** Serves an empty page and the modules of a directory, and opens the page in a browser. */
export class BrowserPage {
  #browser: Browser | undefined;
  #page: Page | undefined;

  private constructor(
    private readonly site: Server,
    readonly origin: string,
  ) {}

  static async serve(directory: string): Promise<BrowserPage> {
    const site = createServer((request, response) => {
      const name = request.url ?? '/';
      response.setHeader('content-type', types[extname(name)] ?? 'text/html');
      if (name === '/') response.end('<!doctype html><title>A page</title>');
      else createReadStream(join(directory, name)).pipe(response);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    return new BrowserPage(site, `http://127.0.0.1:${(site.address() as AddressInfo).port}`);
  }

  async open(): Promise<void> {
    this.#browser = await launchBrowser();
    this.#page = await this.#browser.newPage();
    await this.#page.goto(this.origin);
  }

  /** The page, after `open`. */
  get page(): Page {
    if (!this.#page) throw new Error('the page is not open');
    return this.#page;
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    this.site.closeAllConnections();
    this.site.close();
  }
}
