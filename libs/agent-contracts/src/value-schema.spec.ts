import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { z } from 'zod';

import { type JsonValue } from '#event-sourcing';
import { StepBudget, StepsExceededError } from '#transformations';

import { checkValue } from './check-value.js';
import { contractLimits } from './limits.js';
import { type ValueSchema, valueSchema } from './value-schema.js';

/** The issues of a schema: the place and the message of each. */
function refusals(schema: unknown): string[] {
  const parsed = valueSchema.safeParse(schema);
  return (parsed.error?.issues ?? []).map(
    ({ path, message }) => `/${path.map(String).join('/')}: ${message}`,
  );
}

/** The issues of a value. */
function faults(schema: ValueSchema, value: JsonValue, spend: (steps: number) => void = () => {}) {
  const steps = checkValue(schema, value, spend);
  for (;;) {
    const { done, value: found } = steps.next();
    if (done) return found.map(({ pointer, detail }) => `${pointer} ${detail}`.trim());
  }
}

/** The JSON Schema that zod generates, as received over HTTP. */
const generated = (schema: z.ZodType, target: 'draft-2020-12' | 'draft-7' = 'draft-2020-12') =>
  JSON.parse(JSON.stringify(z.toJSONSchema(schema, { target }))) as ValueSchema;

describe('a schema that zod generates', () => {
  const Comment = z.object({
    text: z.string().min(1),
    get replies() {
      return z.array(Comment);
    },
  });
  const Address = z.object({ city: z.string() }).meta({ id: 'Address', title: 'An address' });
  const plain = [
    z.any(),
    z.never(),
    z.null(),
    z.boolean(),
    z.number().multipleOf(0.5).positive(),
    z.int(),
    z.string().nullable(),
    z.string().default('x'),
    z.literal(['a', 1, null]),
    z.enum(['low', 'high']),
    z.enum({ A: 1, B: 2 }),
    z.union([z.string(), z.int()]),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('bug'), severity: z.int().min(1).max(5) }),
      z.strictObject({ kind: z.literal('idea'), votes: z.int().optional() }),
    ]),
    z.intersection(z.looseObject({ a: z.string() }), z.looseObject({ b: z.number() })),
    z.tuple([z.string(), z.int()]),
    z.tuple([z.string()], z.number()),
    z.record(z.string(), z.int()),
    z.record(z.enum(['a', 'b']), z.int()),
    z.record(z.string().regex(/^[a-z]+$/), z.int()),
    z.object({ a: z.int() }).catchall(z.string()),
    z.looseObject({ a: z.int().optional() }),
    z.string().startsWith('a.').endsWith('b').includes('c').max(12),
    z.email(),
    z.uuid(),
    z.ipv4(),
    z.ipv6(),
    z.cidrv4(),
    z.cidrv6(),
    z.base64(),
    z.base64url(),
    z.iso.datetime({ offset: true }),
    z.iso.date(),
    z.iso.time(),
    z.iso.duration(),
    z.e164(),
    z.hostname(),
    z.ulid(),
    z.nanoid(),
    z.emoji(),
    z.jwt(),
    z.url(),
    z.cuid2(),
    z.object({ home: Address, work: Address.optional() }),
    Comment,
    z.object({ root: Comment }),
    z.string().meta({ title: 't', examples: ['x'], deprecated: true }),
  ];

  it.each(
    plain.map((schema) => [JSON.stringify(generated(schema)).slice(0, 120), schema] as const),
  )('is accepted: %s', (_, schema) => {
    expect(refusals(generated(schema))).toEqual([]);
    expect(refusals(generated(schema, 'draft-7'))).toEqual([]);
  });

  const near: readonly JsonValue[] = [
    null,
    true,
    0,
    1,
    1.5,
    -1,
    'low',
    'a',
    'x',
    '',
    'a.cb',
    [],
    ['x', 1],
    ['x', 'y'],
    [1],
    {},
    { a: 1 },
    { a: 'x', b: 1 },
    { a: 1, b: 2 },
    { a: 1, c: 'x' },
    { A: 1 },
    { a: 'x', b: 'y' },
    { kind: 'bug', severity: 3 },
    { kind: 'bug', severity: 9 },
    { kind: 'idea', more: 1 },
    { kind: 'idea' },
    { text: 'x', replies: [] },
    { text: 'x', replies: [{ text: '' }] },
    { text: 'x', replies: [{ text: 'y', replies: [{ text: 'z', replies: [] }] }] },
    { home: { city: 'x' } },
    { home: {} },
    { root: { text: 'x', replies: [] } },
    'a@b.org',
    'a@b',
    '1.2.3.4',
    '1.2.3.400',
    '::1',
    '2001:db8::1',
    '10.0.0.0/8',
    '::/0',
    '2026-11-23',
    '2026-02-29',
    '2024-02-29',
    '10:30',
    '2026-11-23T10:30:00Z',
    'P1D',
    'PT',
    '+4915112345678',
    'example.org',
    '-a.org',
    'YWJj',
    'YWJ',
    '🦉',
    '01J9ZJ8Q4V6Y3T5W7X9Z1A2B3C',
    '123e4567-e89b-42d3-a456-426614174000',
    '123e4567',
  ];

  it.each(
    plain.map((schema) => [JSON.stringify(generated(schema)).slice(0, 120), schema] as const),
  )('accepts the values that another validator accepts: %s', (_, schema) => {
    // What draft 7 writes differently is compared with the same schema in 2020-12.
    const theirs = compiled(generated(schema));
    for (const target of ['draft-2020-12', 'draft-7'] as const) {
      const made = generated(schema, target);
      for (const value of near) {
        const accepted = faults(made, value).length === 0;
        expect([JSON.stringify(value), accepted]).toEqual([JSON.stringify(value), theirs(value)]);
      }
    }
  });
});

/** One instance for all schemas, because creating one compiles the meta-schema. It must not cache schemas. */
const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });

function compiled(schema: ValueSchema) {
  const validate = ajv.compile(schema);
  ajv.removeSchema(schema);
  return (value: JsonValue) => Boolean(validate(value));
}

describe('a schema that pydantic generates', () => {
  const schema: ValueSchema = JSON.parse(`{
    "$defs": {
      "Priority": { "enum": ["low", "high"], "title": "Priority", "type": "string" },
      "Cat": {
        "properties": { "kind": { "const": "cat", "title": "Kind", "type": "string" }, "lives": { "default": 9, "title": "Lives", "type": "integer" } },
        "required": ["kind"], "title": "Cat", "type": "object"
      },
      "Dog": {
        "additionalProperties": false,
        "properties": { "kind": { "const": "dog", "title": "Kind", "type": "string" }, "parent": { "anyOf": [{ "$ref": "#/$defs/Dog" }, { "type": "null" }], "default": null } },
        "required": ["kind"], "title": "Dog", "type": "object"
      }
    },
    "description": "What a reviewer hands over.",
    "properties": {
      "id": { "format": "uuid", "title": "Id", "type": "string" },
      "when": { "format": "date-time", "title": "When", "type": "string" },
      "price": { "anyOf": [{ "exclusiveMinimum": 0, "type": "number" }, { "pattern": "^(?!^[-+.]*$)[+-]?0*\\\\d*\\\\.?\\\\d*$", "type": "string" }], "title": "Price" },
      "tags": { "items": { "type": "string" }, "title": "Tags", "type": "array", "uniqueItems": true },
      "priority": { "$ref": "#/$defs/Priority", "default": "low", "description": "How urgent it is." },
      "pet": { "discriminator": { "mapping": { "cat": "#/$defs/Cat", "dog": "#/$defs/Dog" }, "propertyName": "kind" }, "oneOf": [{ "$ref": "#/$defs/Cat" }, { "$ref": "#/$defs/Dog" }], "title": "Pet" },
      "scores": { "additionalProperties": { "maximum": 10, "minimum": 0, "type": "number" }, "title": "Scores", "type": "object" },
      "point": { "maxItems": 2, "minItems": 2, "prefixItems": [{ "type": "number" }, { "type": "number" }], "title": "Point", "type": "array" },
      "notes": { "patternProperties": { "^n_": { "type": "string" } }, "title": "Notes", "type": "object" }
    },
    "required": ["id", "priority"], "title": "Handover", "type": "object"
  }`);

  it('is accepted', () => expect(refusals(schema)).toEqual([]));

  it.each<[JsonValue, string[]]>([
    [{ id: 'x', priority: 'high' }, []],
    [{ id: 'x' }, ['/priority is missing']],
    [{ id: 'x', priority: 'none' }, ['/priority is none of the values allowed: "low", "high"']],
    [{ id: 'x', priority: 'low', tags: ['a', 'b', 'a'] }, ['/tags/2 is the same as entry 0']],
    [{ id: 'x', priority: 'low', price: '1.50', point: [1, 2], notes: { n_1: 'x', m: 1 } }, []],
    [
      { id: 'x', priority: 'low', price: '-', notes: { n_1: 1 } },
      [
        '/price fits none of the 2 alternatives (1: /price is string, not number; 2: /price does not match the pattern ^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$)',
        '/notes/n_1 is number, not string',
      ],
    ],
    [{ id: 'x', priority: 'low', pet: { kind: 'dog', parent: { kind: 'dog' } } }, []],
    [
      { id: 'x', priority: 'low', pet: { kind: 'dog', parent: { kind: 'cat' } } },
      [
        '/pet fits none of the 2 alternatives (1: /pet/kind is not "cat"; 2: /pet/parent fits none of the 2 alternatives (1: /pet/parent/kind is not "dog"; 2: /pet/parent is object, not null))',
      ],
    ],
    [{ id: 'x', priority: 'low', scores: { a: 11 } }, ['/scores/a is 11, at most 10 allowed']],
    [{ id: 'x', priority: 'low', point: [1] }, ['/point has 1 entries, at least 2 needed']],
  ])('finds in %j: %j', (value, found) => expect(faults(schema, value)).toEqual(found));
});

describe('the validation of values', () => {
  it('gives the same result as another validator for definitions that several schemas refer to', () => {
    const schema = fc.letrec<{ schema: ValueSchema }>((tie) => {
      const list = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
      const reference = fc.record({ $ref: fc.constantFrom('#/$defs/a', '#/$defs/b', '#/$defs/c') });
      return {
        schema: fc.oneof(
          { maxDepth: 3, withCrossShrink: true },
          reference,
          reference,
          fc.record({ type: fc.constantFrom('integer', 'string', 'object') }),
          fc.record({ maxLength: fc.integer({ min: 0, max: 2 }) }),
          fc.record({ minimum: fc.integer({ min: 0, max: 2 }) }),
          fc.record({ anyOf: list }),
          fc.record({ oneOf: list }),
          fc.record({ allOf: list }),
          fc.record({ not: tie('schema') }),
          fc.record({ properties: fc.record({ a: tie('schema') }) }),
          fc.tuple(reference, tie('schema')).map(([to, beside]) => ({ ...beside, ...to })),
        ),
      };
    }).schema;
    const whole = fc
      .tuple(schema, schema, schema, schema)
      .map(([root, a, b, c]): ValueSchema => ({ ...root, $defs: { a, b, c } }))
      .filter((one) => refusals(one).length === 0);
    const values: JsonValue[] = [0, 1, 1.5, '', 'x', 'xxx', null, {}, { a: 1 }, { a: 'xx' }];
    let [accepted, refused] = [0, 0];
    fc.assert(
      fc.property(whole, (one) => {
        const theirs = values.map(compiled(one));
        accepted += theirs.filter(Boolean).length;
        refused += theirs.filter((isAccepted) => !isAccepted).length;
        expect(values.map((value) => faults(one, value).length === 0)).toEqual(theirs);
      }),
      { numRuns: 300 },
    );
    expect(Math.min(accepted, refused) / (accepted + refused)).toBeGreaterThan(0.1);
  });

  it.each<[ValueSchema, JsonValue]>([
    [
      {
        allOf: [{ anyOf: [{ $ref: '#/$defs/a' }, { type: 'string' }] }, { $ref: '#/$defs/a' }],
        $defs: { a: { type: 'integer' } },
      },
      'x',
    ],
    [
      {
        $ref: '#/$defs/u',
        $defs: {
          a: { type: 'integer' },
          u: {
            anyOf: [
              { $ref: '#/$defs/a', minimum: 5 },
              { $ref: '#/$defs/a', maximum: 3 },
            ],
          },
        },
      },
      'x',
    ],
    [
      {
        allOf: [
          { not: { $ref: '#/$defs/b' } },
          { anyOf: [{ $ref: '#/$defs/b' }, { type: 'integer' }] },
        ],
        $defs: { b: { type: 'string', maxLength: 1 } },
      },
      'xx',
    ],
  ])(
    '%j refuses %j, although one alternative has already used the same definition',
    (schema, value) => {
      expect(refusals(schema)).toEqual([]);
      expect(compiled(schema)(value)).toBe(false);
      expect(faults(schema, value)).not.toEqual([]);
    },
  );

  it.each<[ValueSchema, JsonValue, string[]]>([
    [
      { oneOf: [{ type: 'number' }, { minimum: 1 }] },
      3,
      ['fits alternatives 1 and 2 of oneOf, and may fit only one'],
    ],
    [{ not: { type: 'null' } }, null, ['is what the schema excludes with not']],
    [
      { propertyNames: { pattern: '^a' } },
      { b: 1 },
      ['/b has a name that does not match the pattern ^a'],
    ],
    [{ multipleOf: 0.1 }, 0.35, ['is 0.35, no multiple of 0.1']],
    [{ multipleOf: 0.1 }, 0.3, []],
    [{ properties: { a: false } }, { a: 1 }, ['/a is not allowed here']],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      ['/1 is the same as entry 0'],
    ],
    [{ items: [{ type: 'string' }], additionalItems: false }, ['a', 1], ['/1 is not allowed here']],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, ['has 2 members, at most 1 allowed']],
  ])('%j finds in %j: %j', (schema, value, found) => {
    expect(refusals(schema)).toEqual([]);
    expect(faults(schema, value)).toEqual(found);
  });
});

describe('a schema that is refused', () => {
  const many = Array.from({ length: 257 }, (_, at) => at);

  it.each<[unknown, string]>([
    [[], '/: must be an object'],
    [{ properties: [] }, '/properties: must be an object of schemas by name'],
    [{ properties: { a: 7 } }, '/properties/a: must be a schema: an object, true or false'],
    [{ anyOf: [] }, '/anyOf: must be a list of schemas, of one at least'],
    [
      { anyOf: [{ type: 'text' }] },
      '/anyOf/0/type: must be one of object, array, string, number, integer, boolean, null, or a list of some of them',
    ],
    [{ minLenght: 1 }, '/minLenght: is not a keyword of schemas: write "minLength"'],
    [{ min_length: 1 }, '/min_length: is not a keyword of schemas: write "minLength"'],
    [
      { sections: 1 },
      '/sections: is not a keyword of schemas: leave it out, or begin its name with "x-" if another tool reads it',
    ],
    [{ if: {} }, '/if: is not checked here: write the cases as alternatives of anyOf'],
    [
      { nullable: true },
      '/nullable: is not checked here: add "null" to type, or write anyOf with { "type": "null" }',
    ],
    [
      { exclusiveMinimum: true },
      '/exclusiveMinimum: must be a number: write the bound itself instead of true (draft 4)',
    ],
    [{ minLength: -1 }, '/minLength: must be a whole number, 0 or more'],
    [{ multipleOf: 0 }, '/multipleOf: must be a number above 0'],
    [{ enum: many }, '/enum: must be a list of 1 to 256 values'],
    [{ title: 'x'.repeat(1_001) }, '/title: must be text of at most 1000 characters'],
    [
      { $ref: 'https://example.org/a.json' },
      '/$ref: must be "#" or "#/$defs/<name>": put the schema that it refers to into $defs',
    ],
    [
      { $ref: '#/$defs/a' },
      '/$ref: refers to nothing: $defs of the outermost schema has no member of that name',
    ],
    [
      { $ref: '#/$defs/toString', $defs: {} },
      '/$ref: refers to nothing: $defs of the outermost schema has no member of that name',
    ],
    [{ items: { $defs: {} } }, '/items/$defs: must be a member of the outermost schema'],
    [
      { $ref: '#' },
      '/$ref: leads back to itself for the same value: refer to it from properties or items',
    ],
    [
      { $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { allOf: [{ $ref: '#/$defs/a' }] } } },
      '/$defs/a: leads back to itself for the same value: refer to it from properties or items',
    ],
    [{ pattern: 7 }, '/pattern: must be a regular expression as text'],
    [
      { pattern: '(a)\\1' },
      '/pattern: refers back to a group: write what the group matches once more',
    ],
    [{ patternProperties: { '(': {} } }, '/patternProperties/(: has a "(" without a ")"'],
  ])('%j: %s', (schema, refusal) => expect(refusals(schema)).toEqual([refusal]));

  it('may have annotations for other tools', () => {
    const notes = { 'x-order': 1, $comment: 'c', examples: [1], contentMediaType: 'text/plain' };
    expect(refusals({ ...notes, $id: 'https://example.org/a', format: 'anything' })).toEqual([]);
  });

  it('is reported with at most a hundred issues', () => {
    const properties = Object.fromEntries(many.map((at) => [`m${at}`, 0]));
    expect(refusals({ properties })).toHaveLength(100);
  });

  it('may have patterns up to the limits of their length and of their total size', () => {
    const { patternLength, patternSize } = contractLimits;
    const [tooLong] = refusals({ pattern: 'a'.repeat(patternLength + 1) });
    expect(refusals({ pattern: 'a'.repeat(patternLength) })).toEqual([]);
    expect(tooLong).toBe(
      `/pattern: is longer than ${patternLength} characters: write a shorter one, or alternatives of anyOf`,
    );
    // Three for the match and the whole, and two for each character.
    const half = { pattern: `a{${(patternSize - 8) / 4}}` };
    expect(refusals({ allOf: [half, half] })).toEqual([]);
    expect(refusals({ allOf: [half, half, half] })).toEqual([
      expect.stringMatching(/^\/allOf\/2\/pattern: is too large, with the patterns before it/),
    ]);
  });
});

describe('the cost of schemas', () => {
  const costOf = (schema: ValueSchema, value: JsonValue) => {
    const budget = new StepBudget(contractLimits.steps);
    faults(schema, value, budget.spend);
    return budget.spent;
  };
  const list = (length: number, entry: (at: number) => JsonValue): JsonValue =>
    Array.from({ length }, (_, at) => entry(at));
  const pairs = (size: number) => list(size, (at) => ({ a: at }));

  it.each<[string, ValueSchema, (size: number) => JsonValue]>([
    ['entries that must differ', { uniqueItems: true }, pairs],
    ['alternatives', { items: { anyOf: [{ type: 'null' }, { required: ['b'] }, {}] } }, pairs],
    ['references', { items: { $ref: '#/$defs/a' }, $defs: { a: { type: 'object' } } }, pairs],
    ['other members', { items: { additionalProperties: { type: 'integer' } } }, pairs],
    ['names', { items: { propertyNames: { maxLength: 9 } } }, pairs],
    ['members by pattern', { items: { patternProperties: { '^(a|a)+$': {} } } }, pairs],
    [
      'texts that a hostile pattern is for',
      { pattern: '^(a+)+$' },
      (size) => `${'a'.repeat(size)}!`,
    ],
  ])('grows in proportion to the number of %s', (_, schema, valueOf) => {
    expect(refusals(schema)).toEqual([]);
    const [one = 0, two = 0, three = 0] = [1_000, 2_000, 3_000].map((size) =>
      costOf(schema, valueOf(size)),
    );
    expect(Math.abs(three - two - (two - one))).toBeLessThanOrEqual(2);
    expect(one).toBeGreaterThan(0);
  });

  it('includes the values shown in details, which stay short when nested', () => {
    const large = { text: 'x'.repeat(64_000) };
    const schema: ValueSchema = { items: { anyOf: [{ const: large }, { type: 'number' }] } };
    expect(costOf(schema, ['a', 'b', 'c', 'd'])).toBeGreaterThan(4_000);
    const tree = {
      anyOf: [1, 2, 3].map(() => ({ properties: { a: { $ref: '#' } }, const: large })),
    };
    const [fault = ''] = faults(
      tree,
      Array.from({ length: 6 }).reduce<JsonValue>((a) => ({ a }), {}),
    );
    expect(fault.length).toBeLessThan(600);
    expect(fault).toMatch(/^fits none of the 3 alternatives .*…$/s);
  });

  it('does not multiply if one member discriminates the alternatives, wherever it is declared', () => {
    const node = (op: string) => ({
      type: 'object',
      properties: {
        left: { $ref: '#/$defs/node' },
        right: { $ref: '#/$defs/node' },
        op: { const: op },
      },
      required: ['op'],
    });
    const schema: ValueSchema = {
      $ref: '#/$defs/node',
      $defs: { node: { anyOf: ['number', 'add', 'subtract', 'multiply'].map(node) } },
    } as ValueSchema;
    expect(refusals(schema)).toEqual([]);
    const chain = (depth: number) =>
      Array.from({ length: depth }).reduce<JsonValue>((left) => ({ left, op: 'multiply' }), {
        op: 'number',
      });
    expect(faults(schema, chain(20))).toEqual([]);
    expect(costOf(schema, chain(20))).toBeLessThan(20_000);
  });

  it('does not double with every reference, and is bounded if alternatives do', () => {
    const twice = (name: string) => ({ allOf: [{ $ref: name }, { $ref: name }] });
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`d${at}`, at < 39 ? twice(`#/$defs/d${at + 1}`) : {}]),
    );
    const schema = { $ref: '#/$defs/d0', $defs };
    expect(refusals(schema)).toEqual([]);
    for (const value of [1, {}, [1]]) expect(costOf(schema, value)).toBeLessThan(1_000);
    const tree: ValueSchema = {
      properties: { a: { allOf: [{ $ref: '#' }, { $ref: '#' }] } },
      additionalProperties: { $ref: '#' },
    };
    const nested = (inner: JsonValue) =>
      Array.from({ length: 60 }).reduce<JsonValue>((within) => ({ a: within, b: 1 }), inner);
    expect(refusals(tree)).toEqual([]);
    expect(costOf(tree, nested(1))).toBeLessThan(3_000);
    // Each alternative has to be tried separately.
    const both: ValueSchema = {
      properties: { a: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } },
      required: ['b'],
    };
    expect(() => faults(both, nested({}), new StepBudget(50_000).spend)).toThrow(
      StepsExceededError,
    );
  });
});
