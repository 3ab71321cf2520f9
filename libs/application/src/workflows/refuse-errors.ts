import { type JsonValue } from '#event-sourcing';
import { type WorkflowDefinition, type WorkflowFault, type WorkflowReport } from '#workflow';

import { InvalidInputError } from '../errors.js';

/** A definition without errors. */
type ReadDefinition = Readonly<{
  definition: WorkflowDefinition;
  value: JsonValue;
  warnings: readonly WorkflowFault[];
}>;

/** Throws {@link InvalidInputError} with every error that a definition has. */
export function refuseErrors({ definition, value, faults }: WorkflowReport): ReadDefinition {
  if (definition && value !== undefined) return { definition, value, warnings: faults };
  throw new InvalidInputError(faults.filter(({ severity }) => severity === 'error').map(issueOf));
}

/** Of a text, the place is part of what is said: its pointer leads into what the text says. */
function issueOf({ pointer, message, suggestion, line, column }: WorkflowFault) {
  const place = line === undefined ? '' : `line ${line}, column ${column}: `;
  return {
    pointer,
    detail: `${place}${message}`,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
