import { z } from 'zod';

import { visibilities } from '#event-sourcing';
import { agentId, type ClientEvent, type ClientEventType, clientPayloads } from '#shared-context';

import { ProblemError, invalidInput } from '../problems/problem.error.js';
import { parseInput, parseStated } from './parse-input.js';
import { TextBody, jsonLinesMediaType, textMediaTypes } from './text-body.js';

/** How an endpoint reads its body, and how the documentation shows it. */
export type BodyReader<Body> = Readonly<{
  /** Whether nothing may be sent instead of `{}`. */
  optional: boolean;
  schema: z.ZodType;
  /** Whether `visibility` and `agentId` lie beside the schema's members. */
  stated: boolean;
  /** Members of the schema that stand in the path instead. */
  fromPath: readonly string[];
  /** Where it is not JSON. */
  mediaType?: string;
  /** What is read beside `mediaType`. */
  otherMediaTypes?: readonly string[];
  read: (body: unknown, params: Readonly<Record<string, string>>) => Body;
}>;

type Options = Readonly<{ optional?: boolean; fromPath?: readonly string[] }>;

/** A payload as its author states it: for whom it may be seen, and for which agent it is written. */
type Statement<Data> = Readonly<{
  data: Data;
  visibility: (typeof visibilities)[number] | undefined;
  agentId: string | undefined;
}>;

/** An event a client asks for, written for `agentId` where that is not the key's own. */
export type StatedEvent = Readonly<{ event: ClientEvent; agentId: string | undefined }>;

/** What every statement carries beside its payload. */
export const statementMembers = z.object({
  visibility: z.enum(visibilities).optional(),
  agentId: agentId.optional(),
});

const anyObject = z.custom<object>(isObject, 'must be an object');

const besideNames: ReadonlySet<string> = new Set(Object.keys(statementMembers.shape));

/** A text of any of the media types that imports take, given to the endpoint as it is. */
export function textBody(description: string): BodyReader<TextBody> {
  const schema = z.string().meta({ description });
  const taken = ['application/json', ...textMediaTypes];
  const read = (body: unknown) => {
    if (body instanceof TextBody) return body;
    throw new ProblemError(
      'unsupported-media-type',
      `send one of these as Content-Type: ${taken.join(', ')}`,
    );
  };
  return {
    optional: false,
    schema,
    stated: false,
    fromPath: [],
    mediaType: jsonLinesMediaType,
    read,
    otherMediaTypes: taken.filter((one) => one !== jsonLinesMediaType),
  };
}

/** A body that fits its schema. If it is to be stored, the input rules apply as well. */
export function plainBody<Schema extends z.ZodType>(
  schema: Schema,
  {
    optional = false,
    stored = true,
  }: Omit<Options, 'fromPath'> & Readonly<{ stored?: boolean }> = {},
): BodyReader<z.output<Schema>> {
  const read = (body: unknown) => (stored ? parseStated : parseInput)(schema, body);
  return { optional, schema, stated: false, fromPath: [], read };
}

/**
 * A payload with `visibility` and `agentId` beside its members. Members named by the path are taken from
 * there, and may be repeated in the body only as they are in the path.
 */
export function statementBody<Schema extends z.ZodType>(
  schema: Schema,
  { optional = false, fromPath = [] }: Options = {},
): BodyReader<Statement<z.output<Schema>>> {
  const read: BodyReader<Statement<z.output<Schema>>>['read'] = (body, params) => {
    const members = parseInput(anyObject, body);
    const { visibility, agentId } = parseStated(statementMembers, members);
    const fixed = membersInPath(members, params, fromPath);
    const data = parseStated(schema, payloadOf(members, fixed), [], [...besideNames]);
    return { data, visibility, agentId };
  };
  return { optional, schema, stated: true, fromPath, read };
}

/** The payload of an event of this type. */
export function eventBody(type: ClientEventType, options?: Options): BodyReader<StatedEvent> {
  const body = statementBody(clientPayloads[type], options);
  const read: BodyReader<StatedEvent>['read'] = (sent, params) => {
    const { data, visibility, agentId } = body.read(sent, params);
    // The payload was parsed by the schema of this very type.
    return { event: { type, data, visibility } as ClientEvent, agentId };
  };
  return { ...body, read };
}

/** A JSON merge patch of the values that an event of this type sets. */
export function patchBody(type: 'PreferencesSet' | 'GlobalContextSet'): BodyReader<StatedEvent> {
  const body = plainBody(clientPayloads[type].shape.values);
  const read: BodyReader<StatedEvent>['read'] = (sent, params) => {
    const data = { values: body.read(sent, params) };
    return { event: { type, data }, agentId: undefined };
  };
  return { ...body, read };
}

// Defining, not assigning: `__proto__` stays a member like any other. Copied once: there may be tens of thousands.
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
