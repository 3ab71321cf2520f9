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

export type StatedCreation = z.input<typeof contextToCreate>;

/** What a new context is created with; throws InvalidInputError if it breaks a rule of input. */
export function readCreation(id: string, stated: StatedCreation) {
  requireInput(contextId, id, '/contextId');
  const creation = contextToCreate.parse(stated, inWords);
  requireInput(contextToCreate, creation);
  return creation;
}

/** The command for an event; throws InvalidInputError, at places `within`, if the event breaks a rule of input. */
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
