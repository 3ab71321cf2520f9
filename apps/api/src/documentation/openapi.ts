import { type z } from 'zod';

import { type DocumentedAnswer, type Endpoint, type NamedEndpoint } from '../http/endpoint.js';
import { paramNames, pathParams } from '../http/path-params.js';
import { type ProblemCode } from '../problems/problem-code.js';
import { problemTable } from '../problems/problem-table.js';
import { headerParameters } from './header-parameters.js';
import { bodySchema, type JsonSchema, jsonSchemaOf, queryProperties } from './json-schema.js';
import { problemSchema } from './problem-schema.js';

/** Problems of every endpoint, of every endpoint with a key, and of every endpoint with a body. */
const everywhere: readonly ProblemCode[] = ['invalid-header', 'request-timeout', 'internal-error'];
const withKey: readonly ProblemCode[] = [
  ...everywhere,
  'unauthenticated',
  'forbidden',
  'validation-failed',
  'rate-limited',
  'unavailable',
];
const withBody: readonly ProblemCode[] = [
  'invalid-json',
  'payload-too-large',
  'unsupported-media-type',
];

const roleNote: Readonly<Record<Endpoint['access'], string>> = {
  public: 'Needs no key.',
  read: 'Any role.',
  write: 'Roles agent, operator, admin.',
  operate: 'Roles operator, admin.',
  audit: 'Roles auditor, admin.',
  admin: 'Role admin.',
  root: 'Only the root key.',
};

/** The OpenAPI 3.1 document of these endpoints. */
export function buildOpenApi(endpoints: readonly NamedEndpoint[], version: string): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const declared of endpoints)
    (paths[declared.path] ??= {})[declared.method.toLowerCase()] = operationOf(declared);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Throughline',
      version,
      description: 'An event-sourced shared-context store for multi-agent workflows.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: problemSchema },
    },
  };
}

function operationOf(declared: NamedEndpoint): JsonSchema {
  const { method, tag, summary, description, access, body, example } = declared;
  const note = [description, roleNote[access]].filter(Boolean).join(' ');
  return {
    operationId: declared.name,
    tags: [tag],
    summary,
    description: note,
    'x-access': access,
    security: access === 'public' ? [] : [{ key: [] }],
    parameters: parametersOf(declared),
    ...(body && {
      requestBody: {
        required: !body.optional,
        content: body.mediaType
          ? ofTypes([body.mediaType, ...(body.otherMediaTypes ?? [])], bodySchema(body))
          : contentOf(method, bodySchema(body), example),
      },
    }),
    responses: { ...answersOf(declared), ...refusalsOf(declared) },
  };
}

function ofTypes(mediaTypes: readonly string[], schema: JsonSchema): JsonSchema {
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));
}

function contentOf(method: string, schema: JsonSchema, example: unknown): JsonSchema {
  const media = { schema, ...(example === undefined ? {} : { example }) };
  return {
    'application/json': media,
    ...(method === 'PATCH' && { 'application/merge-patch+json': media }),
  };
}

function parametersOf({ path, query, headers = [], access }: Endpoint): JsonSchema[] {
  const inPath = paramNames(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: jsonSchemaOf(pathParams[name], 'input'),
  }));
  const named = access === 'public' ? headers : [...headers, 'Workspace', 'X-Request-Id'];
  return [
    ...inPath,
    ...queryParameters(query),
    ...named.map((name) => headerParameters[name] ?? { name, in: 'header' }),
  ];
}

function queryParameters(query: z.ZodType | undefined): JsonSchema[] {
  return queryProperties(query).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
  }));
}

function answersOf({ answers }: Endpoint): JsonSchema {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [status, answerOf(answer)]),
  );
}

function answerOf({
  description,
  schema,
  mediaType = 'application/json',
  otherMediaTypes = [],
  headers = [],
}: DocumentedAnswer) {
  return {
    description,
    headers: Object.fromEntries(['X-Request-Id', ...headers].map(headerEntry)),
    ...(schema && {
      content: ofTypes([mediaType, ...otherMediaTypes], jsonSchemaOf(schema, 'output')),
    }),
  };
}

/** One entry per status; its description lists the codes. */
function refusalsOf({ problems = [], access, body }: Endpoint): JsonSchema {
  const general = access === 'public' ? everywhere : withKey;
  const codes = [...problems, ...(body ? withBody : []), ...general];
  const byStatus = Object.groupBy(new Set(codes), (code) => problemTable[code].status);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codesOfStatus = []]) => [
      status,
      refusalOf(codesOfStatus),
    ]),
  );
}

function refusalOf(codes: readonly ProblemCode[]): JsonSchema {
  return {
    description: codes
      .map((code) => `[\`${code}\`](/problems/${code}): ${problemTable[code].title}`)
      .join('; '),
    headers: Object.fromEntries(refusalHeaders(codes).map(headerEntry)),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

function refusalHeaders(codes: readonly ProblemCode[]): string[] {
  const kinds = codes.map((code) => problemTable[code]);
  return [
    'X-Request-Id',
    ...(kinds.some(({ status }) => status === 401) ? ['WWW-Authenticate'] : []),
    ...(kinds.some(({ retryAfter }) => retryAfter !== undefined) ? ['Retry-After'] : []),
  ];
}

function headerEntry(name: string): [string, JsonSchema] {
  return [name, { schema: { type: 'string' } }];
}
