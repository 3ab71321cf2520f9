import { z } from 'zod';

import { defineEvent, visibilities } from '#event-sourcing';

type History = NonNullable<Parameters<typeof defineEvent>[2]>;

/** What is known of the events of a type beside their schema. */
type Description<Schema extends z.ZodType> = Readonly<{
  /** What an event says; the line is shortened, and white space in it becomes single spaces. */
  line: (data: z.output<Schema>) => string;
  /** The member with the id of the item that the event creates. An id that a client leaves out is made. */
  idMember?: string & keyof z.output<Schema>;
  /** Whom or what an event concerns, if the policies of audiences distinguish events of the type by that. */
  aboutMember?: string & keyof z.output<Schema>;
  /** The current version and the upcasts from earlier ones; left out for version 1. */
  history?: History;
}>;

type ClientDescription<
  Schema extends z.ZodType,
  Command extends string,
  Payload extends z.ZodType,
> = Description<Schema> & Readonly<{ client: ClientFacts<Command, Payload> }>;

/** What clients state of an event. */
type ClientFacts<Command extends string, Payload extends z.ZodType> = Readonly<{
  /** The command that a statement becomes. */
  command: Command;
  /** Without the members that only the server can know. */
  payload: Payload;
  /** The member that says which agent did it: only who may act for that agent may state it. */
  claimedAgent?: string & keyof z.output<Payload>;
  /** The member that names an agent for whom or about whom it is written. */
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

/** Defines an event that clients may state. */
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

/** A text with what stands before and behind it; nothing if the text is absent or empty. */
export function optionalText(before: string, text: string | undefined, behind = ''): string {
  return text === undefined || text === '' ? '' : `${before}${text}${behind}`;
}
