import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';

import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { checkValue } from './check-value.js';
import { isList } from './json.js';
import { referredBy } from './schema-reference.js';
import { holdsList, holdsNamed, holdsOne } from './subschemas.js';
import { type Subschema, type ValueSchema, valueSchema } from './value-schema.js';

/**
 * Ajv is the reference for the meaning of a schema. Cases in which this library differs on purpose are not generated:
 *
 * - `multipleOf` compares the numbers as they are written, Ajv divides doubles. They agree on powers of two, where the
 *   quotient is exact and below 1e21.
 * - `pattern` takes needless backslashes, which the flag `u` of JavaScript refuses, and does not look into the middle of a
 *   character of two units. pattern.spec.ts compares patterns with that engine.
 * - A nested `$id` is an annotation; in Ajv, `#` then refers to the schema that has it.
 * - A reference that leads back to itself for the same value is refused; Ajv's function overflows the stack.
 * - `const`, `enum` and `uniqueItems` compare objects with any member names; Ajv calls `toString` and
 *   `constructor` of them.
 * - `required` may name the empty name, which Ajv ignores there.
 * - `format` is a note, so that Ajv does not check it, and members are own ones only (`ownProperties`).
 */
const options = {
  strict: false,
  validateFormats: false,
  validateSchema: false,
  ownProperties: true,
} as const;

/** One for all schemas: making one compiles the schema of schemas. Tuples and definitions differ between the drafts. */
const validators = { '2020-12': new Ajv2020(options), '7': new Ajv(options) } as const;

type Draft = keyof typeof validators;

const drafts: readonly Draft[] = ['2020-12', '7'];

/** Names that are special in JavaScript objects, pointers or patterns. Schemas may not have a member `__proto__`. */
const memberName = fc.constantFrom('a', 'b', 'c1', 'hasOwnProperty', 'x/y~z', '🦉');
const valueName = fc.oneof({ weight: 9, arbitrary: memberName }, fc.constant('__proto__'));

const text = fc.constantFrom(
  '',
  'a',
  'ab',
  'b1',
  '1',
  'aaa',
  '🦉',
  'a🦉',
  'e\u0301',
  '\ud800',
  ' ',
);
const number = fc.constantFrom(0, -0, 1, 1.5, 2, 3, -1, 0.25, 0.1, 2 ** 60, -7.75);
const scalar: fc.Arbitrary<JsonValue> = fc.oneof(text, number, fc.constantFrom(null, true, false));

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    objectOf(fc.array(fc.tuple(valueName, tie('value')), { maxLength: 4 })),
  ),
}));

/** Own members, even if one is `__proto__`. */
function objectOf(entries: fc.Arbitrary<readonly [string, JsonValue][]>): fc.Arbitrary<JsonValue> {
  return entries.map((each): JsonObject => Object.fromEntries(each));
}

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;
const patterns = [
  '^a',
  '\\d$',
  '^[ab]+$',
  '^(?!a)',
  '(?<=a)b',
  '\\p{L}',
  '^.$',
  '^(a|b1)*$',
  '~z$',
];
const definitionNames = ['a', 'b/c', 'd~e f'];

/** A pointer to a definition, as a URI fragment. */
function referenceTo(name: string): string {
  return `#/$defs/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
}

const { schema: anySchema } = fc.letrec<{
  schema: ValueSchema;
  inner: Subschema;
}>((tie) => {
  const inner = tie('inner');
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  const named = fc
    .array(fc.tuple(memberName, inner), { maxLength: 3 })
    .map((entries) => Object.fromEntries(entries));
  const count = fc.nat(3);
  const type = fc.constantFrom(...types);
  const optional = { requiredKeys: [] };
  // Keywords that check nothing are not members of the type.
  const note = fc.constantFrom<object>({ default: 1 }, { format: 'email' }, { 'x-order': 1 }, {});
  const group: fc.Arbitrary<ValueSchema> = fc.oneof(
    { maxDepth: 3, depthSize: 'medium' },
    fc.record({ type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 4 })) }),
    fc.record({ pattern: fc.constantFrom(...patterns) }),
    fc.record({ minLength: count, maxLength: count }, optional),
    fc.record({ minimum: number, maximum: number }, optional),
    fc.record({ exclusiveMinimum: number, exclusiveMaximum: number }, optional),
    fc.record({ multipleOf: fc.constantFrom(0.25, 0.5, 1, 2) }),
    fc.record({ minItems: count, maxItems: count, uniqueItems: fc.boolean() }, optional),
    fc.record({ minProperties: count, maxProperties: count }, optional),
    fc.record({ required: fc.uniqueArray(valueName, { maxLength: 2 }) }),
    note,
    fc.record({ const: value }),
    fc.record({ enum: fc.array(value, { minLength: 1, maxLength: 3 }) }),
    fc.record({ $ref: fc.constantFrom('#', ...definitionNames.map(referenceTo)) }),
    fc.record({ anyOf: list }),
    fc.record({ oneOf: list }),
    fc.record({ allOf: list }),
    fc.record({ not: inner }),
    fc.record({ items: inner, prefixItems: list }, optional),
    fc.record({ propertyNames: inner }),
    fc.record(
      {
        properties: named,
        patternProperties: fc.dictionary(fc.constantFrom(...patterns), inner, { maxKeys: 2 }),
        additionalProperties: inner,
      },
      optional,
    ),
  );
  return {
    inner: fc.oneof({ maxDepth: 3, withCrossShrink: true }, fc.boolean(), {
      weight: 4,
      arbitrary: tie('schema'),
    }),
    schema: fc
      .array(group, { minLength: 1, maxLength: 3 })
      .map((groups): ValueSchema => Object.assign({}, ...groups)),
  };
});

const definedSchema: fc.Arbitrary<ValueSchema> = fc
  .tuple(anySchema, ...definitionNames.map(() => anySchema))
  .map(([root, ...definitions]) => ({
    ...root,
    $defs: Object.fromEntries(definitionNames.map((name, at) => [name, definitions[at] ?? true])),
  }))
  .filter((schema) => valueSchema.safeParse(schema).success);

const valueOfType = Object.fromEntries(
  types.map((type) => {
    const isOfType = validators['2020-12'].compile({ type });
    return [type, value.filter((each) => isOfType(each))];
  }),
) as Readonly<Record<(typeof types)[number], fc.Arbitrary<JsonValue>>>;

/** Values at the boundary of what a schema allows: each satisfies one of its keywords, or narrowly violates it. */
function near(schema: Subschema, root: ValueSchema, depth = 3): fc.Arbitrary<JsonValue> {
  if (typeof schema === 'boolean' || depth === 0) return value;
  const below = (inner: Subschema) => near(inner, root, depth - 1);
  const { const: constant, enum: allowed = [], $ref } = schema;
  const { anyOf = [], oneOf = [], allOf = [], type = [] } = schema;
  const ways = [
    ...(constant === undefined ? [] : [constant]).concat(allowed).map((each) => fc.constant(each)),
    ...($ref === undefined ? [] : [below(referredBy(root, $ref) as Subschema)]),
    ...[...anyOf, ...oneOf, ...allOf].map(below),
    ...[type].flat().map((each) => valueOfType[each]),
    ...objectsNear(schema, below),
    ...listsNear(schema, below),
    ...numbersNear(schema),
  ];
  return ways.length === 0 ? value : fc.oneof(...ways);
}

type MemberValues = (inner: Subschema) => fc.Arbitrary<JsonValue>;

function objectsNear(schema: ValueSchema, below: MemberValues): fc.Arbitrary<JsonValue>[] {
  const { properties = {}, required = [], additionalProperties, patternProperties = {} } = schema;
  const rest = additionalProperties ?? Object.values(patternProperties)[0];
  const names = new Set([...Object.keys(properties), ...required]);
  if (names.size === 0 && rest === undefined) return [];
  const members = [...names].map((name) =>
    fc.tuple(
      fc.constant(name),
      below((Object.hasOwn(properties, name) ? properties[name] : rest) ?? true),
    ),
  );
  const more = fc.array(fc.tuple(valueName, below(rest ?? true)), { maxLength: 2 });
  return [objectOf(fc.tuple(more, ...members).map(([others, ...own]) => [...others, ...own]))];
}

function listsNear({ prefixItems = [], items }: ValueSchema, below: MemberValues) {
  if (prefixItems.length === 0 && items === undefined) return [];
  const rest = fc.array(below((items as Subschema | undefined) ?? true), { maxLength: 3 });
  return [fc.tuple(fc.tuple(...prefixItems.map(below)), rest).map((parts) => parts.flat())];
}

function numbersNear(schema: ValueSchema): fc.Arbitrary<JsonValue>[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  return [minimum, maximum, exclusiveMinimum, exclusiveMaximum]
    .filter((bound) => bound !== undefined)
    .map((bound) => fc.constantFrom(bound, bound - 0.25, bound + 0.25));
}

/** Replaces, removes, adds or repeats one part of a value. */
function changed(whole: JsonValue, at: number, other: JsonValue): JsonValue {
  if (isList(whole) && whole.length > 0) {
    const [index, isDeeper] = [at % whole.length, at % 2 === 0];
    const entry = whole[index] ?? null;
    if (isDeeper) return whole.with(index, changed(entry, Math.floor(at / 2), other));
    return at % 3 === 0 ? whole.toSpliced(index, 1) : [...whole, at % 5 === 0 ? other : entry];
  }
  if (!isJsonObject(whole) || Object.keys(whole).length === 0) return other;
  const entries = Object.entries(whole);
  const [name = '', member = null] = entries[at % entries.length] ?? [];
  const others = entries.filter(([each]) => each !== name);
  if (at % 3 === 0) return Object.fromEntries(others);
  return Object.fromEntries([...others, [name, changed(member, Math.floor(at / 2), other)]]);
}

/** The same schema in the words of draft 7: other names of definitions, tuples and what follows a tuple. */
function inDraft7(schema: Subschema): Subschema {
  if (typeof schema === 'boolean') return schema;
  const names: Readonly<Record<string, string>> = {
    $defs: 'definitions',
    prefixItems: 'items',
    ...(schema.prefixItems && { items: 'additionalItems' }),
  };
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, held]) => [
      names[keyword] ?? keyword,
      heldInDraft7(keyword, held),
    ]),
  );
}

function heldInDraft7(keyword: string, held: unknown): unknown {
  if (keyword === '$ref') return String(held).replace('/$defs/', '/definitions/');
  if (holdsOne.has(keyword)) return inDraft7(held as Subschema);
  if (holdsList.has(keyword)) return (held as Subschema[]).map(inDraft7);
  if (!holdsNamed.has(keyword)) return held;
  const named = Object.entries(held as Record<string, Subschema>);
  return Object.fromEntries(named.map(([name, schema]) => [name, inDraft7(schema)]));
}

function isAccepted(schema: ValueSchema, each: JsonValue): boolean {
  const steps = checkValue(schema, each, () => {});
  for (;;) {
    const { done, value: faults } = steps.next();
    if (done) return faults.length === 0;
  }
}

function isAcceptedByAjv(draft: Draft, schema: ValueSchema, values: readonly JsonValue[]) {
  const validate = validators[draft].compile(schema);
  validators[draft].removeSchema(schema);
  return values.map((each) => Boolean(validate(each)));
}

describe('the verdict on a value', () => {
  const random = fc.array(value, { minLength: 3, maxLength: 3 });
  const change = fc.tuple(fc.nat(1_000), value);
  const schemaWithValues = definedSchema.chain((schema) =>
    fc.tuple(
      fc.constant(schema),
      fc.array(fc.tuple(near(schema, schema), change), { minLength: 4, maxLength: 4 }),
      random,
    ),
  );

  it.each(drafts)('is the same as that of Ajv for any schema, draft %s', (draft) => {
    let [accepted, refused] = [0, 0];
    fc.assert(
      fc.property(schemaWithValues, ([schema, fitting, others]) => {
        const written = draft === '7' ? (inDraft7(schema) as ValueSchema) : schema;
        const values = [
          ...fitting.flatMap(([each, [at, other]]) => [each, changed(each, at, other)]),
          ...others,
        ];
        const theirs = isAcceptedByAjv(draft, written, values);
        accepted += theirs.filter(Boolean).length;
        refused += theirs.filter((isOne) => !isOne).length;
        expect(values.map((each) => [each, isAccepted(written, each)])).toEqual(
          values.map((each, at) => [each, theirs[at]]),
        );
      }),
      { numRuns: 250 },
    );
    expect(Math.min(accepted, refused) / (accepted + refused)).toBeGreaterThan(0.15);
  });
});
