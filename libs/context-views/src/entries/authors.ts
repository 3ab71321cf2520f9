import { isJsonObject } from '#event-sourcing';
import { type Item } from '#shared-context';

import { codeSpan } from './quoted-text.js';

/** Of an item that many have written, as many are named. */
const maxNamed = 3;

/**
 * Who has written what an item holds, the newest first: of a task and of an object that is patched, everybody; of other values
 * the last one. Empty if there are more than items keep.
 */
function authorsOf({ kind, body, state, sources = [] }: Item): readonly string[] {
  const authors = [...new Set(sources.map(({ author }) => author).reverse())];
  if (kind === 'task' && authors.length > 0) return authors;
  const { agentId } = state;
  if (typeof agentId === 'string') return [agentId];
  return isJsonObject(body) ? authors : authors.slice(0, 1);
}

/** `` by `ada`, `bob` and 2 more``, behind a blank; nothing if nobody is known. */
export function byAuthors(item: Item): string {
  const authors = authorsOf(item);
  if (authors.length === 0) return '';
  const more = authors.length - maxNamed;
  const named = authors.slice(0, maxNamed).map(codeSpan).join(', ');
  return ` by ${named}${more > 0 ? ` and ${more} more` : ''}`;
}
