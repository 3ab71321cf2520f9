import { z } from 'zod';

import { type ContextCommand } from './context.command.js';
import {
  type ContextEventDefinition,
  type ContextEventType,
  contextEvents,
  idMemberOf,
} from './context.events.js';
import { defined } from './json.js';

const definitions = contextEvents.flatMap(({ type, client }) =>
  client ? [{ type, ...client }] : [],
);

type ClientDefinition = Extract<ContextEventDefinition, { client: object }>;

export type ClientEventType = ClientDefinition['type'];

type ClientPayloads = Readonly<{
  [Definition in ClientDefinition as Definition['type']]: Definition['client']['payload'];
}>;

export type ClientPayload<Type extends ClientEventType> = z.output<ClientPayloads[Type]>;

/**
 * The payload that a client sends for each event it may write; members that only the server knows are optional or
 * absent.
 */
export const clientPayloads = Object.fromEntries(
  definitions.map(({ type, payload }) => [type, payload]),
  // Type and payload come from the same definition.
) as ClientPayloads;

/** An event as a client sends it. */
export const clientEvent = z.discriminatedUnion(
  'type',
  atLeastOne(definitions.map(({ statement }) => statement)),
);

export type ClientEvent = z.output<typeof clientEvent>;

const commandTypes: ReadonlyMap<ContextEventType, ContextCommand['type']> = new Map(
  definitions.map(({ type, command }) => [type, command]),
);

export function isClientEventType(type: string): type is ClientEventType {
  return Object.hasOwn(clientPayloads, type);
}

/** The command for an event that a client sent. `newId` returns a new UUIDv7; it is called if the id was left out. */
export function commandFromEvent(event: ClientEvent, newId: () => string): ContextCommand {
  const { type, visibility } = event;
  // The ids of decisions are consecutive numbers, which only the decider can assign.
  const idMember = type === 'DecisionRecorded' ? undefined : idMemberOf(type);
  const data = idMember === undefined ? event.data : withId(event.data, idMember, newId);
  // Command and payload come from the same definition.
  return { type: commandTypes.get(type), data, visibility } as ContextCommand;
}

/** The id is always the first member, whether it was sent or created. */
function withId(payload: ClientEvent['data'], member: string, newId: () => string): object {
  const stated = defined(payload);
  const id = Object.hasOwn(stated, member) ? undefined : newId();
  return { [member]: id, ...stated };
}

function atLeastOne<Value>([first, ...others]: readonly Value[]): [Value, ...Value[]] {
  if (first === undefined) throw new Error('no event has a client description');
  return [first, ...others];
}
