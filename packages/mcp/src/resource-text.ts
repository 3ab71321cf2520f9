import { createHash } from 'node:crypto';

import { type Closing } from './answers.js';

/** The text of a resource. `isContinued`: its closing line leads to a further page. */
export type Shown = Readonly<{ text: string; isContinued?: boolean; closing: Closing }>;

/**
 * A digest of what is shown, to find out whether it has changed. Version and receipt do not count: both change with events that
 * leave the text as it is.
 */
export function digestOf({ text, isContinued = false }: Shown): string {
  return createHash('sha256').update(`${isContinued}\n${text}`).digest('base64');
}
