import fc from 'fast-check';

import { type ContextCommand } from '#shared-context';

const id = fc.constantFrom('a', 'b', '__proto__', 'ä 😀');
const version = fc.integer({ min: -3, max: 40 });

const summary = fc
  .record(
    {
      summaryId: id,
      text: fc.constantFrom('x', '\u0000 y'),
      covers: fc
        .tuple(version, version)
        .map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other) })),
      sources: fc.array(fc.constantFrom('step-output:a', 'record:b'), {
        minLength: 1,
        maxLength: 2,
      }),
      previous: fc.option(id, { nil: undefined }),
      model: fc.constant('m'),
      promptHash: fc.constant('a'.repeat(64)),
      tokens: fc.record({ input: fc.constantFrom(0, 9), output: fc.constant(1) }),
    },
    {
      requiredKeys: ['summaryId', 'text', 'covers', 'sources', 'model', 'promptHash', 'tokens'],
    },
  )
  .chain((data) =>
    // Half of the summaries do not continue another, like the first one.
    fc.boolean().map((isFirst) => (isFirst ? { ...data, previous: undefined } : data)),
  );

/** Summaries. There are so few of them that commands refer to the same ones. */
export const summaryCommand: fc.Arbitrary<ContextCommand> = fc
  .tuple(summary, fc.constantFrom<(number | null)[]>(null, null, 3))
  .map(
    ([data, sourceLineage]) =>
      ({ type: 'AddSummary', data, sourceLineage, lineage: null }) as const,
  );
