import { z } from 'zod';

import {
  type Transformation,
  type TransformationDefinition,
  compileTransformation,
  transformationDefinition,
} from '#transformations';

import { type TransformationView } from './transformations.messages.js';

/** What a row of throughline.transformation_versions says of how values are derived. */
const definitionRow = z.object({
  transformation_id: z.string(),
  version: z.number(),
  definition: z.string(),
});

const wholeRow = definitionRow.extend({ changed_at: z.date(), changed_by: z.string() });

export function toView(row: unknown): TransformationView {
  const { transformation_id, version, definition, changed_at, changed_by } = wholeRow.parse(row);
  return {
    transformationId: transformation_id,
    version,
    ...toDefinition(definition),
    changedAt: changed_at.toISOString(),
    changedBy: changed_by,
  };
}

/** Ready to run; nothing where it is switched off. */
export function toActive(row: unknown): Transformation[] {
  const { transformation_id: transformationId, version, definition } = definitionRow.parse(row);
  return activeOf({ transformationId, version }, toDefinition(definition));
}

export function activeOf(
  of: Readonly<{ transformationId: string; version: number }>,
  definition: TransformationDefinition,
): Transformation[] {
  return definition.active === false ? [] : [compileTransformation(of, definition)];
}

function toDefinition(text: string): TransformationDefinition {
  return transformationDefinition.parse(JSON.parse(text));
}
