import { contractLimits } from './limits.js';
import { PatternSizes } from './pattern-sizes.js';
import { keywordFault, meantKeyword } from './schema-keywords.js';
import { referredBy } from './schema-reference.js';
import { isRecord, subschemasOf } from './subschemas.js';

/** A fault of a schema; `path` leads to the member. `suggestion`: the keyword that was probably meant. */
type SchemaFault = Readonly<{
  path: readonly (string | number)[];
  detail: string;
  suggestion?: string | undefined;
}>;

/** A schema inside the root schema. */
type SchemaLocation = Readonly<{ schema: unknown; path: SchemaFault['path'] }>;

const maxFaults = 100;
/** Keywords whose schemas apply to the same value. */
const inPlace: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not']);

/** The faults of a schema, at most a hundred. */
export function findSchemaFaults(root: object): readonly SchemaFault[] {
  const places = placesIn(root);
  if (!places) return [{ path: [], detail: tooLarge }];
  const faults: SchemaFault[] = [];
  const sizes = new PatternSizes();
  for (const place of places) {
    for (const fault of [...faultsAt(place, root), ...patternFaults(place, sizes)])
      faults.push(fault);
    if (faults.length >= maxFaults) break;
  }
  if (faults.length > 0) return faults.slice(0, maxFaults);
  return circularReference(root, places);
}

const tooLarge = `is too large: at most ${contractLimits.schemaNodes} schemas, ${contractLimits.schemaDepth} deep`;

/** All schemas within a schema; undefined if there are too many, or if they are nested too deeply. */
function placesIn(root: object): readonly SchemaLocation[] | undefined {
  const places: SchemaLocation[] = [];
  let level: readonly SchemaLocation[] = [{ schema: root, path: [] }];
  for (let depth = 0; level.length > 0; depth++) {
    if (places.length + level.length > contractLimits.schemaNodes) return undefined;
    if (depth === contractLimits.schemaDepth) return undefined;
    places.push(...level);
    level = level.flatMap(placesBelow);
  }
  return places;
}

function placesBelow({ schema, path }: SchemaLocation): readonly SchemaLocation[] {
  return subschemasOf(schema).map(({ keyword, name, schema: inner }) => ({
    schema: inner,
    path: [...path, keyword, ...(name === undefined ? [] : [name])],
  }));
}

function faultsAt({ schema, path }: SchemaLocation, root: object): readonly SchemaFault[] {
  if (typeof schema === 'boolean') return [];
  if (!isRecord(schema)) return [{ path, detail: 'must be a schema: an object, true or false' }];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const detail =
      keywordFault(keyword, value) ?? misplaced(keyword, path) ?? lost(keyword, value, root);
    const suggestion = meantKeyword(keyword);
    return detail === undefined ? [] : [{ path: [...path, keyword], detail, suggestion }];
  });
}

function patternFaults(
  { schema, path }: SchemaLocation,
  sizes: PatternSizes,
): readonly SchemaFault[] {
  if (!isRecord(schema)) return [];
  const { pattern, patternProperties } = schema;
  const named = isRecord(patternProperties) ? Object.keys(patternProperties) : [];
  const sources = [
    ...(typeof pattern === 'string' ? [{ source: pattern, at: ['pattern'] }] : []),
    ...named.map((source) => ({ source, at: ['patternProperties', source] })),
  ];
  return sources.flatMap(({ source, at }) => {
    const detail = sizes.fault(source);
    return detail === undefined ? [] : [{ path: [...path, ...at], detail }];
  });
}

function misplaced(keyword: string, path: SchemaFault['path']): string | undefined {
  const isDefinitions = keyword === '$defs' || keyword === 'definitions';
  return isDefinitions && path.length > 0 ? 'must be a member of the outermost schema' : undefined;
}

function lost(keyword: string, value: unknown, root: object): string | undefined {
  if (keyword !== '$ref' || referredBy(root, String(value)) !== undefined) return undefined;
  return 'refers to nothing: $defs of the outermost schema has no member of that name';
}

/** Finds a schema that refers to itself for the same value: its check would not terminate. */
function circularReference(
  root: object,
  places: readonly SchemaLocation[],
): readonly SchemaFault[] {
  const done = new Set<unknown>();
  for (const { schema, path } of places)
    if (leadsBack(schema, { root, open: new Set(), done }))
      return [
        {
          path: [...path, ...(isRecord(schema) && '$ref' in schema ? ['$ref'] : [])],
          detail: 'leads back to itself for the same value: refer to it from properties or items',
        },
      ];
  return [];
}

type Walk = Readonly<{ root: object; open: Set<unknown>; done: Set<unknown> }>;

function leadsBack(schema: unknown, walk: Walk): boolean {
  if (!isRecord(schema) || walk.done.has(schema)) return false;
  if (walk.open.has(schema)) return true;
  walk.open.add(schema);
  const isBack = nextOf(schema, walk.root).some((next) => leadsBack(next, walk));
  walk.open.delete(schema);
  if (!isBack) walk.done.add(schema);
  return isBack;
}

function nextOf(schema: Readonly<Record<string, unknown>>, root: object): readonly unknown[] {
  const inner = subschemasOf(schema).filter(({ keyword }) => inPlace.has(keyword));
  const referred = typeof schema.$ref === 'string' ? [referredBy(root, schema.$ref)] : [];
  return [...inner.map((each) => each.schema), ...referred];
}
