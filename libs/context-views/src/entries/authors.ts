import { isJsonObject } from '#event-sourcing';
import { type Item } from '#shared-context';

import { codeSpan } from './quoted-text.js';

/** How many authors of an item are named. */
const maxNamed = 3;

/**
 * The authors of an item, the newest first: all authors of a task and of a patched object; the last author of any other
 * value. Empty if there are more than items store.
 */
function authorsOf({ kind, body, state, sources = [] }: Item): readonly string[] {
  const authors = [...new Set(sources.map(({ author }) => author).reverse())];
  if (kind === 'task' && authors.length > 0) return authors;
  const { agentId } = state;
  if (typeof agentId === 'string') return [agentId];
  return isJsonObject(body) ? authors : authors.slice(0, 1);
}

/** `` by `ada`, `bob` and 2 more``, after a blank; empty if no author is known. */
export function byAuthors(item: Item): string {
  const authors = authorsOf(item);
  if (authors.length === 0) return '';
  const more = authors.length - maxNamed;
  const named = authors.slice(0, maxNamed).map(codeSpan).join(', ');
  return ` by ${named}${more > 0 ? ` and ${more} more` : ''}`;
}
