import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';

import { UsageError } from '../cli-error.js';

/** Longer than any header. */
const headBytes = 4_096;

/** Returns whether the first line of a file is the header of an event export, of any version. */
export async function isEventsFile(file: string): Promise<boolean> {
  const [line = ''] = (await headOf(file)).split('\n', 1);
  const { eventsJsonl } = await import('#interop');
  try {
    const header: unknown = JSON.parse(line);
    const isNamed = typeof header === 'object' && header !== null && 'format' in header;
    return isNamed && header.format === eventsJsonl;
  } catch {
    return false;
  }
}

async function headOf(file: string): Promise<string> {
  try {
    return (await buffer(createReadStream(file, { end: headBytes - 1 }))).toString();
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause));
  }
}
