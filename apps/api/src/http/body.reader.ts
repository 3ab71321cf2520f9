import { z } from 'zod';

import { visibilities } from '#event-sourcing';
import { agentId, type ClientEvent, type ClientEventType, clientPayloads } from '#shared-context';

import { ProblemError, invalidInput } from '../problems/problem.error.js';
import { parseInput, parseStoredInput } from './parse-input.js';
import { TextBody, jsonLinesMediaType, textMediaTypes } from './text-body.js';

/** Parses the body of an endpoint, and describes it for the documentation. */
export type BodyReader<Body> = Readonly<{
  /** Whether an empty body means `{}`. */
  optional: boolean;
  schema: z.ZodType;
  /** Whether the body has `visibility` and `agentId` in addition to the members of the schema. */
  isStatement: boolean;
  /** Members of the schema that are taken from the path. */
  fromPath: readonly string[];
  /** The media type, if it is not JSON. */
  mediaType?: string;
  /** Further accepted media types. */
  otherMediaTypes?: readonly string[];
  read: (body: unknown, params: Readonly<Record<string, string>>) => Body;
}>;

type Options = Readonly<{ optional?: boolean; fromPath?: readonly string[] }>;

/** A payload with the two members that every write may add: its visibility, and the agent that it is written for. */
type Statement<Data> = Readonly<{
  data: Data;
  visibility: (typeof visibilities)[number] | undefined;
  agentId: string | undefined;
}>;

/** An event to append; `agentId` is set if it is written for another agent than that of the key. */
export type EventStatement = Readonly<{ event: ClientEvent; agentId: string | undefined }>;

/** The members that a statement has in addition to its payload. */
export const statementMembers = z.object({
  visibility: z.enum(visibilities).optional(),
  agentId: agentId.optional(),
});

const anyObject = z.custom<object>(isObject, 'must be an object');

const besideNames: ReadonlySet<string> = new Set(Object.keys(statementMembers.shape));

/** A text of any media type that imports accept, passed to the endpoint unparsed. */
export function textBody(description: string): BodyReader<TextBody> {
  const schema = z.string().meta({ description });
  const accepted = ['application/json', ...textMediaTypes];
  const read = (body: unknown) => {
    if (body instanceof TextBody) return body;
    throw new ProblemError(
      'unsupported-media-type',
      `send one of these as Content-Type: ${accepted.join(', ')}`,
    );
  };
  return {
    optional: false,
    schema,
    isStatement: false,
    fromPath: [],
    mediaType: jsonLinesMediaType,
    read,
    otherMediaTypes: accepted.filter((one) => one !== jsonLinesMediaType),
  };
}

/** A body that matches its schema. If it will be stored, the rules for stored input apply as well. */
export function plainBody<Schema extends z.ZodType>(
  schema: Schema,
  {
    optional = false,
    stored = true,
  }: Omit<Options, 'fromPath'> & Readonly<{ stored?: boolean }> = {},
): BodyReader<z.output<Schema>> {
  const read = (body: unknown) => (stored ? parseStoredInput : parseInput)(schema, body);
  return { optional, schema, isStatement: false, fromPath: [], read };
}

/**
 * A payload with `visibility` and `agentId` as additional members. Members in `fromPath` are taken from the path; the body may
 * repeat them only with the same value.
 */
export function statementBody<Schema extends z.ZodType>(
  schema: Schema,
  { optional = false, fromPath = [] }: Options = {},
): BodyReader<Statement<z.output<Schema>>> {
  const read: BodyReader<Statement<z.output<Schema>>>['read'] = (body, params) => {
    const members = parseInput(anyObject, body);
    const { visibility, agentId } = parseStoredInput(statementMembers, members);
    const fixed = membersInPath(members, params, fromPath);
    const data = parseStoredInput(schema, payloadOf(members, fixed), [], [...besideNames]);
    return { data, visibility, agentId };
  };
  return { optional, schema, isStatement: true, fromPath, read };
}

/** The payload of an event of this type. */
export function eventBody(type: ClientEventType, options?: Options): BodyReader<EventStatement> {
  const body = statementBody(clientPayloads[type], options);
  const read: BodyReader<EventStatement>['read'] = (sent, params) => {
    const { data, visibility, agentId } = body.read(sent, params);
    // The cast is safe: the payload was parsed with the schema of this type.
    return { event: { type, data, visibility } as ClientEvent, agentId };
  };
  return { ...body, read };
}

/** A JSON merge patch of the values that an event of this type sets. */
export function patchBody(type: 'PreferencesSet' | 'GlobalContextSet'): BodyReader<EventStatement> {
  const body = plainBody(clientPayloads[type].shape.values);
  const read: BodyReader<EventStatement>['read'] = (sent, params) => {
    const data = { values: body.read(sent, params) };
    return { event: { type, data }, agentId: undefined };
  };
  return { ...body, read };
}

// `fromEntries` defines members, so that `__proto__` stays an ordinary one. One copy, because there may be tens of thousands of members.
function payloadOf(members: object, fixed: object): object {
  const payload = Object.entries(members).filter(([name]) => !besideNames.has(name));
  return Object.fromEntries([...payload, ...Object.entries(fixed)]);
}

function membersInPath(
  members: object,
  params: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, string | undefined> {
  const sent = new Map<string, unknown>(Object.entries(members));
  for (const name of names)
    if (sent.has(name) && sent.get(name) !== params[name])
      throw invalidInput([{ pointer: `/${name}`, detail: 'differs from the path' }]);
  return Object.fromEntries(names.map((name) => [name, params[name]]));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
