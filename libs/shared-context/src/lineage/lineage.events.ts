import { z } from 'zod';

import { defineServerEvent } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { contextId, identifier } from '../payload.schema.js';

const version = z.int().min(1);

/** First of a new stream: everything the source held at that version is here from now on. */
const contextForked = defineServerEvent(
  'ContextForked',
  z.strictObject({ source: z.strictObject({ contextId, version }) }),
  { line: ({ source }) => `forked from ${source.contextId} at version ${source.version}` },
);

/** What the context held at that version is what it holds again. */
const contextRestored = defineServerEvent('ContextRestored', z.strictObject({ version }), {
  line: ({ version: restored }) => `restored to version ${restored}`,
});

/** A name for a version, which is the one before the event's own. */
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
