import { z } from 'zod';

import { upcast, visibleText, withInputRule } from '#event-sourcing';

import { defineClientEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { existingOrNewId, identifier } from '../payload.schema.js';

/**
 * `path` or `uri`. Both are optional in the schema, but one is required, so the input rule applies to it in every case.
 */
const place = withInputRule(z.string().min(1).max(10_000), { ...visibleText, always: true });

const artifactChanges = ['created', 'modified', 'deleted', 'renamed'] as const;

const artifactOfVersion1 = {
  stepId: existingOrNewId.optional(),
  artifactType: identifier,
  path: place.optional(),
  uri: place.optional(),
  fragment: z.string().optional(),
  commit: identifier.optional(),
  mediaType: identifier.optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/)
    .optional(),
  bytes: z.int().min(0).optional(),
};

/** `change`: how the work that references the artifact changed it. */
const statedArtifact = { ...artifactOfVersion1, change: z.enum(artifactChanges).optional() };

const onePlace = {
  error: 'exactly one of path and uri is required',
  path: ['path'],
};

const artifactReferencedV1 = z
  .strictObject({ artifactId: existingOrNewId, ...artifactOfVersion1 })
  .refine(hasOnePlace, onePlace);

/** The members that a client may send; the server creates the id if it is left out. */
const artifactToReference = z
  .strictObject({
    artifactId: existingOrNewId.optional(),
    ...statedArtifact,
  })
  .refine(hasOnePlace, onePlace);

/** A reference with a known id is a new revision of the artifact. */
export const artifactReferenced = defineClientEvent(
  'ArtifactReferenced',
  z.strictObject({ artifactId: existingOrNewId, ...statedArtifact }).refine(hasOnePlace, onePlace),
  {
    line: ({ artifactId, path, uri }) =>
      `artifact ${artifactId}${optionalText(' at ', path ?? uri)}`,
    idMember: 'artifactId',
    client: { command: 'ReferenceArtifact', payload: artifactToReference },
    history: { version: 2, upcasts: { 1: upcast(artifactReferencedV1, (data) => data) } },
  },
);

export const artifactEvents = [artifactReferenced] as const;

export const artifactItemKinds = [
  defineItemKind('artifact', {
    rulesReadBody: true,
    isTraced: true,
    view: { section: 'artifacts' },
  }),
] as const;

function hasOnePlace({
  path,
  uri,
}: Readonly<{ path?: string | undefined; uri?: string | undefined }>): boolean {
  return (path === undefined) !== (uri === undefined);
}
