import { type JsonValue } from '#event-sourcing';
import { type WorkflowDefinition, type WorkflowFault, type WorkflowReport } from '#workflow';

import { InvalidInputError } from '../errors.js';

/** A definition without errors. `value`: the JSON to store. */
type ValidDefinition = Readonly<{
  definition: WorkflowDefinition;
  value: JsonValue;
  warnings: readonly WorkflowFault[];
}>;

/** Throws {@link InvalidInputError} with all errors of a definition. */
export function refuseErrors({ definition, value, faults }: WorkflowReport): ValidDefinition {
  if (definition && value !== undefined) return { definition, value, warnings: faults };
  throw new InvalidInputError(faults.filter(({ severity }) => severity === 'error').map(issueOf));
}

/** Adds the position in the text, if the definition was sent as text: the pointer leads only into the parsed value. */
function issueOf({ pointer, message, suggestion, line, column }: WorkflowFault) {
  const position = line === undefined ? '' : `line ${line}, column ${column}: `;
  return {
    pointer,
    detail: `${position}${message}`,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
