import { isUtf8 } from 'node:buffer';

import { UsageError } from '../cli-error.js';

/** The text of a file, byte-order mark included; anything but UTF-8 would not come back as it was, and is refused. */
export function decodeText(bytes: Buffer, name: string): string {
  if (isUtf8(bytes)) return bytes.toString();
  throw new UsageError(`${name} is no text in UTF-8`, 'convert it: nothing was imported');
}
