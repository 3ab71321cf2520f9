import { existsSync } from 'node:fs';

import { type Browser, chromium } from 'playwright-core';

const installed = '/usr/bin/chromium';

/**
 * Arguments of the packed Chromium that are not used: one makes it ignore origins, which tests of security rely on;
 * the others run all pages in one process, which ends with the first page.
 */
const unwanted: ReadonlySet<string> = new Set([
  '--disable-web-security',
  '--single-process',
  '--no-zygote',
]);

/** Starts the Chromium of the machine, or the one that the packages contain. */
export async function launchBrowser(): Promise<Browser> {
  if (existsSync(installed))
    return chromium.launch({ executablePath: installed, args: ['--no-sandbox'] });
  const { default: packed } = await import('@sparticuz/chromium');
  return chromium.launch({
    executablePath: await packed.executablePath(),
    args: [...packed.args.filter((argument) => !unwanted.has(argument)), '--no-sandbox'],
  });
}
