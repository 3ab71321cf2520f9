import { isUtf8 } from 'node:buffer';

import { UsageError } from '../cli-error.js';

/** Decodes UTF-8 and keeps a byte-order mark. Refuses other encodings, because an export could not restore their bytes. */
export function decodeText(bytes: Buffer, name: string): string {
  if (isUtf8(bytes)) return bytes.toString();
  throw new UsageError(`${name} is not UTF-8 text`, 'convert it to UTF-8: nothing was imported');
}
