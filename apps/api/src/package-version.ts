import { readFile } from 'node:fs/promises';

import { z } from 'zod';

const ownPackage = z.object({ name: z.literal('throughline'), version: z.string() });

/** The version of this project, from the package.json above this file, compiled or not. */
export async function packageVersion(from: URL = new URL('.', import.meta.url)): Promise<string> {
  const text = await readFile(new URL('package.json', from), 'utf8').catch(() => 'null');
  const found = ownPackage.safeParse(JSON.parse(text));
  if (found.success) return found.data.version;
  const above = new URL('..', from);
  return above.href === from.href ? '0.0.0' : packageVersion(above);
}
