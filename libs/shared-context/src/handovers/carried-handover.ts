import { z } from 'zod';

import { trustLevels, visibilities, isJsonObject } from '#event-sourcing';

import { type PreservedFacts, type EventData } from '../context.events.js';
import { type Item } from '../item.js';
import { without } from '../json.js';
import { oldestFirst } from '../listed-entry.js';
import { handoverNoted } from './handover.events.js';
import { acknowledgementNote } from './handover.item.js';

/** A handover that is carried over to another context with its author, time, trust and visibility. */
export type CarriedHandover = PreservedFacts & Readonly<{ data: EventData<'HandoverNoted'> }>;

/** The open handovers among the items of a context, oldest first. */
export function openHandovers(contextId: string, items: Iterable<Item>): CarriedHandover[] {
  return oldestFirst('handover', [...items])
    .filter(({ state }) => state['status'] === 'open')
    .map((item) => carryHandover(contextId, item));
}

function carryHandover(contextId: string, { key: handoverId, state, body }: Item): CarriedHandover {
  const { agentId, timestamp, visibility, trust } = notedState.parse(state);
  const noted = isJsonObject(body) ? without(body, [acknowledgementNote]) : {};
  const data = handoverNoted.schema.parse({ ...noted, carriedFrom: { contextId, handoverId } });
  return { data, visibility, trust, origin: { agentId, timestamp } };
}

const notedState = z.object({
  agentId: z.string(),
  timestamp: z.string(),
  visibility: z.enum(visibilities),
  trust: z.enum(trustLevels),
});
