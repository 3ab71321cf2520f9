import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { proveHttpPage } from './docs/http-page.js';
import { ThroughlineServer } from './throughline-server.js';

const page = 'documents-reference.md';
const inContext = '/v1/contexts/{contextId}';

type Schema = Readonly<{
  properties: Readonly<Record<string, unknown>>;
  required?: readonly string[];
  oneOf?: readonly Schema[];
}>;

let server: ThroughlineServer;
let text: string;
let paths: Awaited<ReturnType<ThroughlineServer['get']>>['body'];

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  text = await readFile(join(import.meta.dirname, '..', '..', 'docs', page), 'utf8');
  paths = (await server.get('/openapi.json', { key: null })).body.paths;
}, 120_000);

afterAll(() => server.stop());

describe('the reference of documents', () => {
  it('shows the real answers to its requests', () => proveHttpPage(page, server), 120_000);

  it('lists the members of the document, and no others', () => {
    const { schema } = paths[inContext].get.responses['200'].content['application/json'];
    const listed = rowsUnder('## Members').flatMap(([member = '']) => namesIn(member));
    expect(listed.toSorted()).toEqual(Object.keys(schema.properties).toSorted());
  });

  it('lists the events that a batch may contain, with their fields', () => {
    const events = new Map(batchEvents());
    const rows = rowsUnder('## Events and routes')
      .map(([event = '', , data = '']) => ({ type: namesIn(event).join(), data }))
      .filter(({ type }) => type !== 'ContextCreated');
    expect(rows.map(({ type }) => type).toSorted()).toEqual([...events.keys()].toSorted());
    const missing = rows.flatMap(({ type, data }) =>
      (events.get(type) ?? [])
        .filter((field) => !data.includes(`\`${field}\``))
        .map((field) => `${type}: ${field}`),
    );
    expect(missing).toEqual([]);
  });

  it('names existing routes only', () => {
    const routes = rowsUnder('## Events and routes')
      .map(([, route = '']) => namesIn(route).join())
      .filter((route) => route !== '');
    expect(routes.length).toBeGreaterThan(25);
    const unknown = routes.filter((route) => {
      const [method = '', path = ''] = route.split(' ');
      const complete = path.startsWith('/v1/') ? path : `${inContext}${path}`;
      return paths[complete]?.[method.toLowerCase()] === undefined;
    });
    expect(unknown).toEqual([]);
  });

  it('lists the errors of a batch and of a written document, except those of all requests', () => {
    const listed = rowsUnder('## Errors').flatMap(([, code = '']) => namesIn(code));
    const ofAnyRequest = ['request-timeout', 'unsupported-media-type', 'rate-limited'];
    const refusals = [
      ...refusalsOf(`${inContext}/events`, 'post'),
      ...refusalsOf(inContext, 'put'),
    ];
    expect(refusals.length).toBeGreaterThan(20);
    expect(
      refusals.filter((code) => !listed.includes(code) && !ofAnyRequest.includes(code)),
    ).toEqual([]);
  });
});

/** The types of events in a batch, with their fields as in the page: optional ones have a `?`. */
function batchEvents(): readonly (readonly [string, readonly string[]])[] {
  const { schema } = paths[`${inContext}/events`].post.requestBody.content['application/json'];
  const events: readonly { properties: { type: { const: string }; data: Schema } }[] =
    schema.properties.events.items.oneOf;
  return events.map(({ properties: { type, data } }) => [type.const, fieldsOf(data)]);
}

/** A field of several variants is required if every variant requires it. */
function fieldsOf(data: Schema): readonly string[] {
  const variants = data.oneOf ?? [data];
  const names = new Set(variants.flatMap(({ properties }) => Object.keys(properties)));
  return [...names].map((name) =>
    variants.every(({ required = [] }) => required.includes(name)) ? name : `${name}?`,
  );
}

/** Codes of the answers from 400 to 499, from the links in the descriptions of the answers. */
function refusalsOf(path: string, method: string): readonly string[] {
  const answers: readonly (readonly [string, { description: string }])[] = Object.entries(
    paths[path][method].responses,
  );
  return answers
    .filter(([status]) => status.startsWith('4'))
    .flatMap(([, { description }]) =>
      [...description.matchAll(/\/problems\/([a-z-]+)\)/g)].map(([, code = '']) => code),
    );
}

/** The rows of the tables under a heading of the second level, without the table headers. */
function rowsUnder(heading: string): readonly (readonly string[])[] {
  const [, section = ''] = text.split(`\n${heading}\n`);
  const [body = ''] = section.split('\n## ');
  return body
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('`'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
}

function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}
