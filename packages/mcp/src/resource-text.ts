import { createHash } from 'node:crypto';

import { type Closing } from './answers.js';

/** The text of a resource. `isContinued`: whether its closing line leads to another page. */
export type ResourceText = Readonly<{ text: string; isContinued?: boolean; closing: Closing }>;

/**
 * Returns a digest of the text, to detect changes. Version and receipt are excluded: both also change with events that do not
 * change the text.
 */
export function digestOf({ text, isContinued = false }: ResourceText): string {
  return createHash('sha256').update(`${isContinued}\n${text}`).digest('base64');
}
