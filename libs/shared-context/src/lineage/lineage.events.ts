import { z } from 'zod';

import { defineServerEvent } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { contextId, identifier } from '../payload.schema.js';

const version = z.int().min(1);

/** The first event of a new stream, which takes over the content of the source at that version. */
const contextForked = defineServerEvent(
  'ContextForked',
  z.strictObject({ source: z.strictObject({ contextId, version }) }),
  { line: ({ source }) => `forked from ${source.contextId} at version ${source.version}` },
);

/** Replaces the content of the context by its content at that version. */
const contextRestored = defineServerEvent('ContextRestored', z.strictObject({ version }), {
  line: ({ version: restored }) => `restored to version ${restored}`,
});

/** A name for the version before the event's own. */
const checkpointCreated = defineServerEvent(
  'CheckpointCreated',
  z.strictObject({ name: identifier, version }),
  { line: ({ name, version: named }) => `checkpoint ${name} at version ${named}` },
);

export const lineageEvents = [contextForked, contextRestored, checkpointCreated] as const;

export const lineageItemKinds = [
  defineItemKind('checkpoint'),
  defineItemKind('completion'),
] as const;
