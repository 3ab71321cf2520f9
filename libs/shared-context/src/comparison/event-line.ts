import { type ContextEvent, contextEvents } from '../context.events.js';

const lines = new Map(contextEvents.map(({ type, line }) => [type, line]));

const longest = 160;

/** Describes an event in one line of at most 160 characters; names are not changed. */
export function eventLine({ type, data }: ContextEvent): string {
  // The table is keyed by event type, so the function accepts the data of this event.
  const line = (lines.get(type) as (data: unknown) => string)(data).replace(/\s+/g, ' ').trim();
  const points = Array.from(line);
  return points.length <= longest ? line : `${points.slice(0, longest - 1).join('')}…`;
}
