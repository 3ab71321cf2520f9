import { z } from 'zod';

import { type JsonObject, parseJsonObject } from '#event-sourcing';

import { type StepKinds } from './step-kind.js';
import { stepKinds } from './step-kinds.js';
import { workflowSchema } from './workflow.schema.js';

/** Where a server has the schema; definitions name it as `$schema`. */
export const workflowSchemaPath = '/schemas/workflow-definition.json';

/**
 * The JSON Schema (2020-12) of definitions. What it takes may still be refused: it says nothing of how the parts of a definition
 * fit together.
 */
export function workflowJsonSchema(kinds: StepKinds = stepKinds): JsonObject {
  const converted = z.toJSONSchema(workflowSchema(kinds), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // The only schema that is code.
      if (zodSchema._zod.def.type === 'custom') jsonSchema.type = 'object';
    },
  });
  // The one schema that refers to itself is that of steps.
  const { $schema = null, ...schema } = parseJsonObject(
    JSON.stringify(converted).replaceAll('__schema0', 'step'),
  );
  return { $schema, $id: workflowSchemaPath, title: 'Workflow definition', ...schema };
}
