import { type ContextEvent, contextEvents } from '../context.events.js';

const lines = new Map(contextEvents.map(({ type, line }) => [type, line]));

const longest = 160;

/** What an event says, in one line of at most 160 characters; names stay as they were written. */
export function eventLine({ type, data }: ContextEvent): string {
  // The table is keyed by type, so the function found takes exactly the data it was found by.
  const line = (lines.get(type) as (data: unknown) => string)(data).replace(/\s+/g, ' ').trim();
  const points = Array.from(line);
  return points.length <= longest ? line : `${points.slice(0, longest - 1).join('')}…`;
}
