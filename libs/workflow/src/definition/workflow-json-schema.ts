import { z } from 'zod';

import { type JsonObject, parseJsonObject } from '#event-sourcing';

import { type StepKinds } from './step-kind.js';
import { stepKinds } from './step-kinds.js';
import { workflowSchema } from './workflow.schema.js';

/** The path of the schema on a server; definitions name it as `$schema`. */
export const workflowSchemaPath = '/schemas/workflow-definition.json';

/**
 * The JSON Schema (2020-12) of definitions. A definition that matches it may still be invalid: the schema does not
 * check how the parts of a definition fit together.
 */
export function workflowJsonSchema(kinds: StepKinds = stepKinds): JsonObject {
  const converted = z.toJSONSchema(workflowSchema(kinds), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // The only custom schema.
      if (zodSchema._zod.def.type === 'custom') jsonSchema.type = 'object';
    },
  });
  // The only recursive schema is that of steps.
  const { $schema = null, ...schema } = parseJsonObject(
    JSON.stringify(converted).replaceAll('__schema0', 'step'),
  );
  return { $schema, $id: workflowSchemaPath, title: 'Workflow definition', ...schema };
}
