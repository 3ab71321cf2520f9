import { transformationLimits } from './limits.js';
import {
  type DefinitionIssue,
  type DerivationCause,
  DerivationCauses,
  type TransformationDefinition,
  TransformationError,
  compileTransformation,
  orderTransformations,
  refuseConflicts,
  transformationDefinition,
} from './index.js';

const scoring: TransformationDefinition = {
  trigger: { agent: 'analyst' },
  sources: { features: 'analyst.outputs.project_brief.structured_data.core_features' },
  operation: { kind: 'score', expression: 'len(features)' },
  destinations: ['project_metadata.complexity_score'],
};

const compiled = (transformationId: string, definition: Partial<TransformationDefinition> = {}) =>
  compileTransformation({ transformationId, version: 1 }, { ...scoring, ...definition });

function issuesOf(work: () => unknown): readonly DefinitionIssue[] {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof TransformationError) return error.issues;
    throw error;
  }
}

const pointers = (definition: object) =>
  transformationDefinition
    .safeParse({ ...scoring, ...definition })
    .error?.issues.map(({ path }) => path.join('/'));

describe('a definition', () => {
  it('is refused by the schema with the pointer of the invalid field', () => {
    expect(pointers({})).toBeUndefined();
    expect(pointers({ trigger: {} })).toEqual(['trigger']);
    expect(pointers({ trigger: { agent: 'a', step: 's' } })).toEqual(['trigger']);
    expect(pointers({ sources: {} })).toEqual(['sources']);
    expect(pointers({ sources: { 'a-b': 'context.a' } })).toEqual(['sources/a-b']);
    expect(pointers({ sources: { item: 'context.a' } })).toEqual(['sources/item']);
    expect(pointers({ operation: { kind: 'run', code: 'x' } })).toEqual(['operation/kind']);
    expect(pointers({ destinations: [] })).toEqual(['destinations']);
    expect(pointers({ description: 'x'.repeat(4_097) })).toEqual(['description']);
  });

  it('is refused with one issue if it has too many sources, regardless of their content', () => {
    const sources = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`-${at}`, 0]));
    expect(pointers({ sources })).toEqual(['sources']);
  });

  it('is refused if parsing would drop a name', () => {
    const sources: unknown = JSON.parse('{"__proto__":"context.a","features":"context.b"}');
    expect(pointers({ sources })).toEqual(['sources']);
    expect(pointers({ sources: 7 })).toEqual(['sources']);
    expect(pointers({ sources: null })).toEqual(['sources']);
  });

  it('reports what an operation needs', () => {
    const messages = (operation: object) =>
      transformationDefinition
        .safeParse({ ...scoring, operation })
        .error?.issues.map(({ path, message }) => `${path.join('/')}: ${message}`);
    const enrich = { kind: 'enrich', each: 'a', eachAs: 'x', entries: 'b', entriesAs: 'y' };
    const by = { kind: 'select', by: 'features' };
    expect(messages(by)).toEqual([
      'operation: needs either ranges of numbers or cases: [{ is, value }]',
    ]);
    expect(messages({ ...by, ranges: [{ value: 1 }], cases: [{ is: 1, value: 1 }] })).toEqual([
      'operation: needs either ranges of numbers or cases: [{ is, value }]',
    ]);
    expect(messages({ ...by, ranges: [{ value: 1 }], otherwise: 2 })).toEqual([
      'operation/otherwise: is allowed with cases only: with ranges, omit upTo in the last one',
    ]);
    expect(messages({ ...by, cases: [{ is: [], value: 1 }] })).toEqual([
      'operation/cases/0/is: must be a text, a number, true, false or null',
    ]);
    expect(messages(enrich)).toEqual([
      'operation: needs either entryKey, a path into an entry, or match, an expression of element and entry',
    ]);
    expect(messages({ ...enrich, match: 'true', eachKey: 'a' })).toEqual([
      'operation/eachKey: is allowed with entryKey only: in match, use element and a path',
    ]);
    expect(
      messages({ ...by, cases: [{ is: null, value: null }], otherwise: null }),
    ).toBeUndefined();
  });

  const select = (ranges: readonly object[]) => ({
    operation: { kind: 'select', by: 'features', ranges },
  });
  const listed = <Entry>(count: number, entry: (at: number) => Entry) =>
    Array.from({ length: count }, (_, at) => entry(at));

  it.each<[string, number, (count: number) => object]>([
    ['description', 4_096, (n) => ({ description: 'x'.repeat(n) })],
    [
      'sources',
      transformationLimits.sources,
      (n) => ({ sources: Object.fromEntries(listed(n, (at) => [`s${at}`, 'context.a'])) }),
    ],
    [
      'destinations',
      transformationLimits.destinations,
      (n) => ({ destinations: listed(n, (at) => `project_metadata.d${at}`) }),
    ],
    ['sources/features', 256, (n) => ({ sources: { features: 'x'.repeat(n) } })],
    ['destinations/0', 256, (n) => ({ destinations: ['x'.repeat(n)] })],
    [
      'operation/expression',
      4_096,
      (n) => ({ operation: { kind: 'score', expression: 'x'.repeat(n) } }),
    ],
    [
      'operation/ranges',
      transformationLimits.ranges,
      (n) => select(listed(n, (at) => ({ upTo: at, value: at }))),
    ],
    [
      'operation/cases',
      transformationLimits.ranges,
      (n) => ({
        operation: {
          kind: 'select',
          by: 'features',
          cases: listed(n, (at) => ({ is: at, value: at })),
        },
      }),
    ],
  ])('accepts %s up to %i and refuses more', (pointer, limit, definition) => {
    expect(pointers(definition(limit))).toBeUndefined();
    expect(pointers(definition(limit + 1))).toEqual([pointer]);
  });

  it('is refused if it is larger than the limit', () => {
    const withValue = (value: string) => select([{ value }]);
    const { length } = JSON.stringify({ ...scoring, ...withValue('') });
    const room = transformationLimits.definitionLength - length;
    expect(pointers(withValue('x'.repeat(room)))).toBeUndefined();
    expect(pointers(withValue('x'.repeat(room + 1)))).toEqual(['']);
  });

  it.each<[object, string, string]>([
    [{ sources: { features: 'analyst.outputs' } }, '/sources/features', 'must be longer'],
    [{ sources: { features: 'global_context' } }, '/sources/features', 'must be longer'],
    [{ sources: { features: 'analyst.thoughts' } }, '/sources/features', 'must begin with'],
    [{ sources: { features: 'pm.completed' } }, '/sources/features', 'must begin with'],
    [{ sources: { features: 'a..b' } }, '/sources/features', 'at character 3: a name is expected'],
    [{ sources: { features: 'context.\u0085x' } }, '/sources/features', 'control characters'],
    [{ destinations: ['analyst.outputs.brief'] }, '/destinations/0', 'cannot be derived'],
    [{ destinations: ['context.plan'] }, '/destinations/0', 'cannot be derived'],
    [
      { destinations: ['pm.inputs.a', 'pm.inputs["a"].b'] },
      '/destinations/1',
      'overlaps another destination',
    ],
    [
      { operation: { kind: 'score', expression: 'len(' } },
      '/operation/expression',
      'at character 5: something is missing here',
    ],
    [
      { operation: { kind: 'score', expression: 'len(feature) + sum(map(features, item))' } },
      '/operation/expression',
      'uses feature, which is not a source: add it to sources',
    ],
    [
      { operation: { kind: 'score', expression: 'features = 1\nfeatures' } },
      '/operation/expression',
      'names a line features, which is the name of a source',
    ],
    [
      { operation: { kind: 'score', expression: 'a = map(features, one => one + two)\na.one' } },
      '/operation/expression',
      'uses two, which is not a source',
    ],
    [
      { operation: { kind: 'select', by: 'nothing', ranges: [{ value: 1 }] } },
      '/operation/by',
      'uses nothing, which is not a source',
    ],
    [
      {
        operation: {
          kind: 'select',
          by: 'features',
          ranges: [{ upTo: 4, value: 1 }, { upTo: 4, value: 2 }, { value: 3 }],
        },
      },
      '/operation/ranges/1',
      'never reached',
    ],
    [
      {
        operation: {
          kind: 'select',
          by: 'features',
          cases: [1, 2, 1].map((is) => ({ is, value: is })),
        },
      },
      '/operation/cases/2',
      'an earlier case is equal',
    ],
    [
      {
        sources: { features: 'context.a', entry: 'context.b' },
        operation: {
          kind: 'enrich',
          each: 'features',
          eachAs: 'x',
          entries: 'features',
          entriesAs: 'y',
          match: 'entry == element',
        },
      },
      '/sources/entry',
      'is reserved in match',
    ],
    [
      {
        operation: {
          kind: 'enrich',
          each: 'features',
          eachAs: 'x',
          entries: 'features',
          entriesAs: 'y',
          match: 'x = entry',
        },
      },
      '/operation/match',
      '"=" does not compare: write ===',
    ],
    [
      { sources: { a: 'context.a', b: 'context.b' }, operation: { kind: 'propagate' } },
      '/sources',
      'exactly one',
    ],
    [
      {
        operation: {
          kind: 'enrich',
          each: 'users',
          eachAs: 'x',
          entries: 'features',
          entryKey: 'u',
          entriesAs: 'y',
        },
      },
      '/operation/each',
      'is users, which is not a source',
    ],
    [
      {
        operation: {
          kind: 'enrich',
          each: 'features',
          eachAs: 'x',
          entries: 'features',
          entryKey: '.',
          entriesAs: 'x',
        },
      },
      '/operation/entryKey',
      'a name is expected',
    ],
  ])(
    'that cannot be compiled is refused with the pointer of the invalid field: %j',
    (definition, pointer, detail) => {
      const parsed = transformationDefinition.parse({ ...scoring, ...definition });
      const [issue] = issuesOf(() =>
        compileTransformation({ transformationId: 't', version: 1 }, parsed),
      );
      expect(issue?.pointer).toBe(pointer);
      expect(issue?.detail).toContain(detail);
    },
  );

  it('is refused with all issues at once', () => {
    const issues = issuesOf(() =>
      compiled('t', { sources: { features: 'x' }, destinations: ['y'] }),
    );
    expect(issues.map(({ pointer }) => pointer)).toEqual(['/sources/features', '/destinations/0']);
  });
});

describe('a definition among other transformations', () => {
  const adaptation = compiled('adaptation', {
    trigger: { transformation: 'scoring' },
    sources: { score: 'project_metadata.complexity_score' },
    operation: { kind: 'score', expression: 'score' },
    destinations: ['project_metadata.adaptation'],
  });

  it('is accepted if it derives another place', () => {
    expect(issuesOf(() => refuseConflicts(adaptation, [compiled('scoring')]))).toEqual([]);
  });

  it('is refused if its trigger does not exist', () => {
    expect(issuesOf(() => refuseConflicts(adaptation, []))).toEqual([
      {
        pointer: '/trigger/transformation',
        detail: 'names no active transformation of this workspace',
      },
    ]);
  });

  it('is refused if its destination overlaps that of another transformation', () => {
    const within = compiled('other', { destinations: ['project_metadata.complexity_score.x'] });
    const [issue] = issuesOf(() => refuseConflicts(within, [compiled('scoring')]));
    expect(issue?.pointer).toBe('/destinations/0');
    expect(issue?.detail).toContain('"scoring"');
  });

  it('is refused if the workspace would have too many destinations', () => {
    const others = Array.from({ length: 32 }, (_, n) =>
      compiled(`t${n}`, {
        destinations: Array.from({ length: n === 31 ? 7 : 8 }, (__, at) => `a${n}.inputs.p${at}`),
      }),
    );
    expect(issuesOf(() => refuseConflicts(compiled('last'), others))).toEqual([]);
    const two = compiled('two', { destinations: ['x.inputs.a', 'x.inputs.b'] });
    expect(issuesOf(() => refuseConflicts(two, others))).toEqual([
      {
        pointer: '/destinations',
        detail: 'a workspace derives at most 256 places, and 255 are taken',
      },
    ]);
  });

  it('is refused if it closes a cycle of sources', () => {
    const scoringByIt = compiled('scoring', {
      sources: { features: 'project_metadata.adaptation' },
    });
    expect(issuesOf(() => refuseConflicts(scoringByIt, [adaptation]))).toEqual([
      {
        pointer: '/sources/features',
        detail: 'forms a cycle: "scoring" depends on "adaptation" depends on "scoring"',
      },
    ]);
  });

  it('is refused if it closes a cycle of triggers', () => {
    const triggered = compiled('scoring', { trigger: { transformation: 'adaptation' } });
    const [issue] = issuesOf(() => refuseConflicts(triggered, [adaptation]));
    expect(issue?.pointer).toBe('/trigger/transformation');
  });

  it('is refused if it depends on itself', () => {
    const itself = compiled('self', { sources: { features: 'project_metadata.complexity_score' } });
    const [issue] = issuesOf(() => refuseConflicts(itself, []));
    expect(issue?.detail).toBe('forms a cycle: "self" depends on "self"');
    const bySelf = compiled('self', { trigger: { transformation: 'self' } });
    const [other] = issuesOf(() => refuseConflicts(bySelf, []));
    expect(other?.pointer).toBe('/trigger/transformation');
  });
});

describe('the due transformations', () => {
  const scored = compiled('scoring');
  const adaptation = compiled('adaptation', {
    trigger: { transformation: 'scoring' },
    sources: { features: 'project_metadata.complexity_score' },
    destinations: ['project_metadata.adaptation'],
  });
  const copied = compiled('copied', {
    trigger: { step: 'plan' },
    sources: { features: 'global_context.constraints.items' },
    destinations: ['pm.inputs.constraints'],
  });
  const output = { kind: 'output', stepId: 's', agentId: 'a', name: undefined } as const;
  const set = orderTransformations([adaptation, copied, scored]);
  const dueOn = (cause: DerivationCause) =>
    set.ordered.flatMap((each) => {
      const relevance = set.relevanceOf(new DerivationCauses([[cause, true]]), each);
      return relevance ? [[each.transformationId, relevance.isTrigger ? 'trigger' : 'source']] : [];
    });

  it('come after those they depend on', () => {
    expect(set.ordered.map(({ transformationId }) => transformationId)).toEqual([
      'scoring',
      'adaptation',
      'copied',
    ]);
  });

  it('are found by trigger and by source', () => {
    expect(dueOn(output)).toEqual([]);
    expect(dueOn({ ...output, agentId: 'analyst' })).toEqual([['scoring', 'trigger']]);
    expect(dueOn({ ...output, stepId: 'plan' })).toEqual([['copied', 'trigger']]);
    expect(dueOn({ kind: 'global', members: ['constraints'] })).toEqual([['copied', 'source']]);
    expect(dueOn({ kind: 'global', members: ['other'] })).toEqual([]);
    expect(dueOn({ kind: 'derived', transformationId: 'scoring' })).toEqual([
      ['adaptation', 'trigger'],
    ]);
  });

  it('are found by an output of exactly that name', () => {
    const named = compiled('named', { trigger: { step: 'other' } });
    const only = orderTransformations([named]);
    const relevance = (name: string | undefined, agentId = 'analyst') =>
      only.relevanceOf(new DerivationCauses([[{ ...output, agentId, name }, true]]), named);
    expect(relevance('project_brief')).toEqual({ isTrigger: false, onRecord: true });
    expect([relevance('other'), relevance(undefined), relevance('project_brief', 'a')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('are recorded if one of their causes is recorded', () => {
    const trigger = { ...output, agentId: 'analyst' };
    const relevance = (...causes: readonly (readonly [DerivationCause, boolean])[]) =>
      set.relevanceOf(new DerivationCauses(causes), scored);
    expect(relevance([trigger, false])).toEqual({ isTrigger: true, onRecord: false });
    for (const order of [
      [true, false],
      [false, true],
    ])
      expect(relevance(...order.map((onRecord) => [trigger, onRecord] as const))).toEqual({
        isTrigger: true,
        onRecord: true,
      });
    expect(relevance([{ ...trigger, agentId: 'b' }, true])).toBeUndefined();
  });

  it('include the transformations that depend on a due one', () => {
    const affected = (cause: DerivationCause) =>
      set.affectedBy(new DerivationCauses([[cause, true]]));
    const ids = affected({ ...output, agentId: 'analyst' });
    expect(ids.map(({ transformationId }) => transformationId)).toEqual(['scoring', 'adaptation']);
    expect(affected(output)).toEqual([]);
  });
});
