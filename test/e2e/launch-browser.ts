import { existsSync } from 'node:fs';

import { type Browser, chromium } from 'playwright-core';

const installed = '/usr/bin/chromium';

/** Would make the browser ignore origins, which tests of security rely on. */
const unwanted = '--disable-web-security';

/** Starts the Chromium of the machine, or the one that the packages contain. */
export async function launchBrowser(): Promise<Browser> {
  if (existsSync(installed))
    return chromium.launch({ executablePath: installed, args: ['--no-sandbox'] });
  const { default: packed } = await import('@sparticuz/chromium');
  return chromium.launch({
    executablePath: await packed.executablePath(),
    args: [...packed.args.filter((argument) => argument !== unwanted), '--no-sandbox'],
  });
}
