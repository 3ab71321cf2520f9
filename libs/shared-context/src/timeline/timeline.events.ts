import { z } from 'zod';

import { defineEvent } from '#event-sourcing';

import { contextId, identifier } from '../payload.schema.js';

const version = z.int().min(1);

/** First of a new stream: everything the source held at that version is here from now on. */
const contextForked = defineEvent(
  'ContextForked',
  z.strictObject({ source: z.strictObject({ contextId, version }) }),
);

/** What the context held at that version is what it holds again. */
const contextRestored = defineEvent('ContextRestored', z.strictObject({ version }));

/** A name for a version, which is the one before the event's own. */
const checkpointCreated = defineEvent(
  'CheckpointCreated',
  z.strictObject({ name: identifier, version }),
);

export const timelineEvents = [contextForked, contextRestored, checkpointCreated] as const;
