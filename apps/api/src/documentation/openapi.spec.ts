import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { controllers } from '../api.controllers.js';
import { apiEndpoints } from '../api.module.js';
import { endpointsOf } from '../http/endpoint.js';
import { docsPage } from './docs-page.js';
import { buildOpenApi } from './openapi.js';

// Serialized and parsed, as clients receive the document.
const document = JSON.parse(JSON.stringify(buildOpenApi(apiEndpoints, '1.2.3')));
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);

type Operation = Readonly<{
  operationId: string;
  'x-access': string;
  parameters: readonly Readonly<{ name: string; in: string; required: boolean }>[];
  responses: Record<string, unknown>;
  requestBody?: { content: Record<string, { schema: Record<string, unknown> }> };
}>;

/** One line for each operation and each shared part of the document: its name, and the beginning of the hash of its JSON. */
function pinnedLines(): string[] {
  const lineOf = (name: string, part: unknown) =>
    `${name} ${createHash('sha256').update(JSON.stringify(part)).digest('hex').slice(0, 16)}`;
  const parts = Object.entries<Record<string, unknown>>(document.components);
  return [
    lineOf(
      'order of the operations',
      operations.map(({ operationId }) => operationId),
    ),
    ...operations.map(({ path, method, ...operation }) =>
      lineOf(`${method.toUpperCase()} ${path} ${operation.operationId}`, operation),
    ),
    ...parts.flatMap(([group, members]) =>
      Object.entries(members).map(([name, member]) => lineOf(`${group}/${name}`, member)),
    ),
  ].toSorted();
}

describe('the OpenAPI document', () => {
  it('matches the hashes in fixtures/openapi.txt', () => {
    const pinned = readFileSync(join(import.meta.dirname, '../../fixtures/openapi.txt'), 'utf8');
    expect(pinnedLines().join('\n')).toBe(pinned.trimEnd());
  });

  it('gives every operation a unique id and a response', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids).toContain('addStepOutput');
    expect(new Set(ids).size).toBe(ids.length);
    for (const { responses } of operations) expect(Object.keys(responses)).not.toEqual([]);
  });

  it('lists every media type of imports and exports', () => {
    const operationOf = (name: string) =>
      operations.find(({ operationId }) => operationId === name);
    const sent = Object.keys(operationOf('importInto')?.requestBody?.content ?? {});
    expect(sent).toEqual(
      expect.arrayContaining(['application/x-ndjson', 'application/json', 'text/markdown']),
    );
    const answer = operationOf('exportContext')?.responses['200'];
    expect(answer).toMatchObject({
      headers: { 'Not-Carried': {} },
      content: { 'application/x-ndjson': {}, 'application/json': {}, 'text/markdown': {} },
    });
  });

  it('declares every path parameter as required', () => {
    for (const { path, parameters } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = parameters.filter(
        (parameter) => parameter.in === 'path' && parameter.required,
      );
      expect(declared.map(({ name }) => name)).toEqual(named);
    }
  });

  it('documents query parameters by their parsed type, not as text', () => {
    const events = operations.find(
      ({ path, method }) => path.endsWith('/events') && method === 'get',
    );
    expect(events?.parameters).toContainEqual({
      name: 'limit',
      in: 'query',
      required: false,
      schema: {
        type: 'integer',
        minimum: 1,
        maximum: 500,
        description: expect.any(String),
        default: 50,
      },
    });
    expect(events?.parameters).toContainEqual({
      name: 'type',
      in: 'query',
      required: false,
      schema: { type: 'array', items: { type: 'string' }, description: expect.any(String) },
    });
  });

  it('documents a body with the statement members and without the members from the path', () => {
    const fail = operations.find(({ path }) => path.endsWith('/fail'));
    const schema = fail?.requestBody?.content['application/json']?.schema;
    expect(Object.keys(Object(schema?.['properties']))).toEqual([
      'reason',
      'tried',
      'visibility',
      'agentId',
    ]);
    expect(schema?.['required']).toEqual(['reason']);
  });

  it('documents each alternative of a union with the statement members', () => {
    const append = operations.find(({ operationId }) => operationId === 'appendRecord');
    const schema = append?.requestBody?.content['application/json']?.schema;
    const { oneOf: kinds } = Object(schema) as { oneOf: object[] };
    expect(kinds).toHaveLength(7);
    for (const kind of kinds)
      expect(kind).toMatchObject({
        properties: { kind: { const: expect.any(String) }, visibility: {}, agentId: {} },
        required: ['kind'],
        additionalProperties: false,
      });
  });

  it('contains every controller of the source tree', () => {
    const source = join(import.meta.dirname, '..');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
    const controllerFiles = files.filter((file) => file.endsWith('.controller.ts'));
    const declared = files
      .filter((file) => file.endsWith('.controllers.ts'))
      .flatMap((file) => [
        ...readFileSync(join(source, file), 'utf8').matchAll(/\bappendController\(/g),
      ]);
    expect(controllers).toHaveLength(controllerFiles.length + declared.length);
    expect(new Set(controllers).size).toBe(controllers.length);
    for (const controller of controllers) expect(endpointsOf(controller)).toHaveLength(1);
  });

  it('documents custom schemas: objects, and ids with their length', () => {
    const bodyOf = (end: string) =>
      operations.find(({ path, requestBody }) => path.endsWith(end) && requestBody)?.requestBody
        ?.content['application/json']?.schema;
    expect(bodyOf('/preferences')).toMatchObject({ type: 'object' });
    expect(bodyOf('/step-outputs')).toMatchObject({
      properties: {
        stepId: { type: 'string', minLength: 1, maxLength: 256, pattern: '^(?!\\.{1,2}$)' },
        output: {},
      },
      required: ['stepId', 'output'],
    });
  });

  it('lists the common problems of every endpoint, of every endpoint with a key and of every endpoint with a body', () => {
    for (const { 'x-access': access, requestBody, responses } of operations) {
      expect(responses).toHaveProperty(
        ['400', 'description'],
        expect.stringContaining('invalid-header'),
      );
      if (access !== 'public')
        for (const status of ['401', '403', '422', '429', '503'])
          expect(responses).toHaveProperty(status);
      if (requestBody)
        for (const status of ['413', '415']) expect(responses).toHaveProperty(status);
    }
  });

  it('documents each filter of a list as text, with a description', () => {
    const list = operations.find(({ operationId }) => operationId === 'listContexts');
    const filters = new Map(list?.parameters.map((parameter) => [parameter.name, parameter]));
    for (const name of ['status', 'q', 'contains'])
      expect(filters.get(name)).toMatchObject({ in: 'query', schema: { type: 'string' } });
    for (const name of ['q', 'contains'])
      expect(JSON.stringify(filters.get(name))).toContain('"description":');
  });

  it('documents both the text form and the payload form of a body, each with the statement members', () => {
    const emit = operations.find(({ operationId }) => operationId === 'emitSignals');
    const schema = emit?.requestBody?.content['application/json']?.schema;
    const { anyOf: either } = Object(schema) as { anyOf: [object, { oneOf: object[] }] };
    const [textForm, payloadForm] = either;
    expect(textForm).toMatchObject({ required: ['text'], additionalProperties: false });
    expect(payloadForm.oneOf).toHaveLength(8);
    for (const one of [textForm, ...payloadForm.oneOf])
      expect(one).toMatchObject({ properties: { visibility: {}, agentId: {} } });
  });

  it('contains no dangling reference', () => {
    for (const [, name] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g))
      expect(name).toBe('#/components/schemas/Problem');
  });
});

describe('the documentation page', () => {
  const { text, headers } = docsPage(apiEndpoints, '1.2.3');

  it('lists every operation and loads no external resource', () => {
    for (const { path } of operations) expect(text).toContain(path);
    expect(text).not.toMatch(/<script|<link|<img|https?:\/\//);
    expect(headers['Content-Security-Policy']).toContain("default-src 'none'");
  });
});
