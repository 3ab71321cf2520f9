import { z } from 'zod';

import { agentNameFault } from '../documents/agent-name.js';
import { isRfc3339 } from '../documents/claimed-time.js';
import { type ClaimedOrigin } from '../documents/document-format.js';

const day = z.iso.date();
const longestName = 200;
const mark = /[\s*_`"'-]/;

/**
 * The author and the time that a document names, without Markdown around them. A name that no agent can have, and a
 * text that is neither a day nor a time, are omitted. A day means its first moment in UTC.
 */
export function claimedBy(author: string, time: string): ClaimedOrigin | undefined {
  const origin = { ...authorOf(author), ...timeOf(time) };
  return Object.keys(origin).length > 0 ? origin : undefined;
}

/** Whether the document names an author that no agent can be. */
export function isUnusableAuthor(author: string): boolean {
  return nameOf(author) !== '' && authorOf(author) === undefined;
}

function authorOf(author: string): { agentId: string } | undefined {
  const name = nameOf(author);
  const isUsable = name !== '' && name.length <= longestName && agentNameFault(name) === undefined;
  return isUsable && /[\p{L}\p{N}]/u.test(name) ? { agentId: name } : undefined;
}

function nameOf(author: string): string {
  return withoutMarks(author.slice(0, 10 * longestName));
}

function timeOf(text: string): { timestamp: string } | undefined {
  const time = withoutMarks(text.slice(0, longestName));
  if (isRfc3339(time)) return { timestamp: time };
  return day.safeParse(time).success ? { timestamp: `${time}T00:00:00Z` } : undefined;
}

/** Removes emphasis, quotation marks and dashes at both ends. */
function withoutMarks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && mark.test(text[start] ?? '')) start++;
  while (end > start && mark.test(text[end - 1] ?? '')) end--;
  return text.slice(start, end);
}
