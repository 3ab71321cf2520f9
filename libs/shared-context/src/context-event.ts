import { z } from 'zod';

import { defineEvent, visibilities } from '#event-sourcing';

type History = NonNullable<Parameters<typeof defineEvent>[2]>;

/** Facts about an event type, in addition to its schema. */
type Description<Schema extends z.ZodType> = Readonly<{
  /** Describes an event in one line. The caller shortens it and collapses white space. */
  line: (data: z.output<Schema>) => string;
  /** The member with the id of the item that the event creates. The server creates an id that a client leaves out. */
  idMember?: string & keyof z.output<Schema>;
  /**
   * The member with the subject of an event, if the policies of audiences distinguish events of the type by their
   * subject.
   */
  aboutMember?: string & keyof z.output<Schema>;
  /** The current version and the upcasts from earlier ones; left out for version 1. */
  history?: History;
}>;

type ClientDescription<
  Schema extends z.ZodType,
  Command extends string,
  Payload extends z.ZodType,
> = Description<Schema> & Readonly<{ client: ClientFacts<Command, Payload> }>;

/** Facts about an event that clients may send. */
type ClientFacts<Command extends string, Payload extends z.ZodType> = Readonly<{
  /** The command for such an event. */
  command: Command;
  /** The payload without the members that only the server knows. */
  payload: Payload;
  /** The member that names the agent that did the work. The writer must be allowed to act for that agent. */
  claimedAgent?: string & keyof z.output<Payload>;
  /** The member that names an agent as the recipient or the subject. */
  mentionedAgent?: string & keyof z.output<Payload>;
}>;

/** Defines an event that only the server writes. */
export function defineServerEvent<const Type extends string, Schema extends z.ZodType>(
  type: Type,
  schema: Schema,
  { history, ...description }: Description<Schema>,
) {
  return { ...defineEvent(type, schema, history), ...description, client: null };
}

/** Defines an event that clients may send. */
export function defineClientEvent<
  const Type extends string,
  Schema extends z.ZodType,
  const Command extends string,
  Payload extends z.ZodType,
>(
  type: Type,
  schema: Schema,
  { history, client, ...description }: ClientDescription<Schema, Command, Payload>,
) {
  const statement = z.strictObject({
    type: z.literal(type),
    data: client.payload,
    visibility: z.enum(visibilities).optional(),
  });
  return {
    ...defineEvent(type, schema, history),
    ...description,
    client: { ...client, statement },
  };
}

/** The text between `before` and `after`; an empty string if the text is absent or empty. */
export function optionalText(before: string, text: string | undefined, after = ''): string {
  return text === undefined || text === '' ? '' : `${before}${text}${after}`;
}
