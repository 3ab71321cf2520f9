import fc from 'fast-check';

import {
  type Transformation,
  type TransformationDefinition,
  TransformationError,
  compileTransformation,
  orderTransformations,
  refuseConflicts,
  transformationDefinition,
} from './index.js';

const ids = ['a', 'b', 'c', 'd', 'e'];
const places = [
  'x.inputs.p',
  'x.inputs.p.q',
  'x.inputs.r',
  'global_context.s',
  'project_metadata.t',
];

const definition: fc.Arbitrary<TransformationDefinition> = fc.record({
  trigger: fc.oneof(
    fc.constant({ agent: 'x' }),
    fc.record({ transformation: fc.constantFrom(...ids) }),
  ),
  sources: fc.record({ from: fc.constantFrom('context.step', ...places) }),
  operation: fc.constant({ kind: 'propagate' as const }),
  destinations: fc.uniqueArray(fc.constantFrom(...places), { minLength: 1, maxLength: 2 }),
});

/** The transformations of a workspace after a sequence of definitions: refused ones have no effect. */
function workspaceOf(
  puts: readonly (readonly [string, TransformationDefinition])[],
): readonly Transformation[] {
  const kept = new Map<string, Transformation>();
  for (const [transformationId, stated] of puts) {
    try {
      const changed = compileTransformation({ transformationId, version: 1 }, stated);
      const others = [...kept.values()].filter(
        (each) => each.transformationId !== transformationId,
      );
      refuseConflicts(changed, others);
      kept.set(transformationId, changed);
    } catch (error) {
      if (!(error instanceof TransformationError)) throw error;
    }
  }
  return [...kept.values()];
}

/** Whether one begins with the other, by names. */
const overlap = (left: string, right: string) =>
  `${left}.`.startsWith(`${right}.`) || `${right}.`.startsWith(`${left}.`);

describe('the transformations of a workspace', () => {
  const puts = fc.array(fc.tuple(fc.constantFrom(...ids), definition), { maxLength: 12 });

  it('are ordered after those they depend on', () => {
    fc.assert(
      fc.property(puts, (given) => {
        const { ordered } = orderTransformations(workspaceOf(given));
        for (const [at, { trigger, sources }] of ordered.entries())
          for (const later of ordered.slice(at)) {
            expect(trigger.transformation).not.toBe(later.transformationId);
            for (const { path } of later.destinations)
              expect(sources.some((source) => overlap(source.path, path))).toBe(false);
          }
      }),
      { numRuns: 500 },
    );
  });

  it('derive each destination once', () => {
    fc.assert(
      fc.property(puts, (given) => {
        const derived = workspaceOf(given).flatMap(({ destinations }) => destinations);
        for (const [at, { path }] of derived.entries())
          for (const other of derived.slice(at + 1)) expect(overlap(path, other.path)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

describe('any definition', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'ab.[]"\\() +0,{}?:'), minLength: 1, maxLength: 12 }),
    fc.constantFrom('context.a', 'x.outputs.y', 'global_context.z', 'len(a)', 'a'),
  );
  const operation = fc.oneof(
    fc.record({ kind: fc.constant('score' as const), expression: text }),
    fc.record({
      kind: fc.constant('select' as const),
      by: text,
      ranges: fc.array(
        fc.record(
          { upTo: fc.integer({ min: 0, max: 3 }), value: fc.constant(1) },
          { requiredKeys: ['value'] },
        ),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    fc.record({ kind: fc.constant('propagate' as const) }),
    fc.record(
      {
        kind: fc.constant('enrich' as const),
        each: fc.constant('a'),
        eachKey: text,
        eachAs: text,
        entries: fc.constant('a'),
        entryKey: text,
        entriesAs: text,
      },
      { requiredKeys: ['kind', 'each', 'eachAs', 'entries', 'entryKey', 'entriesAs'] },
    ),
  );
  const any = fc.record({
    trigger: fc.record({ step: text }),
    sources: fc.record({ a: text }),
    operation,
    destinations: fc.array(text, { minLength: 1, maxLength: 3 }),
  });

  it('is compiled or refused with the pointers of its fields', () => {
    fc.assert(
      fc.property(any, (stated) => {
        const parsed = transformationDefinition.parse(stated);
        try {
          compileTransformation({ transformationId: 't', version: 1 }, parsed);
        } catch (error) {
          if (!(error instanceof TransformationError)) throw error;
          for (const { pointer } of error.issues)
            expect(pointer).toMatch(/^\/(sources|operation|destinations)(\/|$)/);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
