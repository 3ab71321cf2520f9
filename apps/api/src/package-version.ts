import { readFile } from 'node:fs/promises';

import { z } from 'zod';

const ownPackage = z.object({ name: z.literal('throughline'), version: z.string() });

/** The version of this project, from the nearest package.json above this file; works for source and compiled code. */
export async function packageVersion(from: URL = new URL('.', import.meta.url)): Promise<string> {
  const text = await readFile(new URL('package.json', from), 'utf8').catch(() => 'null');
  const parsed = ownPackage.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data.version;
  const parent = new URL('..', from);
  return parent.href === from.href ? '0.0.0' : packageVersion(parent);
}
