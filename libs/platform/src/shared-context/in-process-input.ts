import { type z } from 'zod';

import { InvalidInputError, newId } from '#application';
import { inWords, inputRuleFaults } from '#event-sourcing';
import {
  type ClientEvent,
  type ContextCommand,
  clientPayloads,
  commandFromEvent,
  contextId,
  contextToCreate,
} from '#shared-context';

export type CreationInput = z.input<typeof contextToCreate>;

/** Parses the input of a creation; throws InvalidInputError if it violates a rule for input. */
export function readCreation(id: string, input: CreationInput) {
  requireInput(contextId, id, '/contextId');
  const creation = contextToCreate.parse(input, inWords);
  requireInput(contextToCreate, creation);
  return creation;
}

/** The command for an event; throws InvalidInputError, with pointers that begin with `within`, if it violates a rule for input. */
export function commandOf(event: ClientEvent, within = ''): ContextCommand {
  requireInput(clientPayloads[event.type], event.data, within);
  return commandFromEvent(event, newId);
}

function requireInput(schema: z.ZodType, value: unknown, within = ''): void {
  const issues = inputRuleFaults(schema, value).faults.map(({ path, detail }) => ({
    pointer: within + path.map((step) => `/${String(step)}`).join(''),
    detail,
  }));
  if (issues.length > 0) throw new InvalidInputError(issues);
}
