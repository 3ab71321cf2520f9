import fc from 'fast-check';

import { type Source, contextEvents } from '#shared-context';

import { builtInPolicies } from './built-in-policies.js';
import { type Policy, policySchema, withheldMembers } from './policy.js';
import { type TypeVisibility, visibilityOfTypes } from './type-visibility.js';
import { VisibilityFilter } from './visibility-filter.js';

const types = contextEvents.map(({ type }) => type);

const of = (policy: Policy | undefined, type: Source['type']): TypeVisibility | undefined =>
  visibilityOfTypes(policy).find((one) => one.type === type);

const show = (...rules: Policy['show']): Policy => ({ show: rules });

describe('the visibility of a type of events', () => {
  it('includes every type', () => {
    expect(visibilityOfTypes(builtInPolicies['reviewer']).map(({ type }) => type)).toEqual(types);
  });

  it('is everything without a policy', () => {
    for (const { record, working, withheld } of visibilityOfTypes(undefined))
      expect([record, working, withheld]).toEqual(['all', 'all', []]);
  });

  it.each<[string, Policy, Partial<TypeVisibility>]>([
    ['a rule without conditions', show({ types: ['RecordAppended'] }), { record: 'all' }],
    ['a rule for all types', show({ types: ['*'] }), { record: 'all', working: 'none' }],
    [
      'a rule with a condition',
      show({ types: ['RecordAppended'], kinds: ['dev-record'] }),
      { record: 'some', working: 'none' },
    ],
    [
      'a rule for both visibilities',
      show({ types: ['RecordAppended'], visibility: ['record', 'working'] }),
      { record: 'all', working: 'all' },
    ],
    ['another type', show({ types: ['RiskRaised'] }), { record: 'none', working: 'none' }],
    [
      'a rule that hides some',
      { show: [{ types: ['*'] }], hide: [{ types: ['*'], authors: ['eve'] }] },
      { record: 'some' },
    ],
    [
      'a rule that hides all',
      { show: [{ types: ['*'] }], hide: [{ types: ['RecordAppended'] }] },
      { record: 'none' },
    ],
  ])('is derived from %s', (_, policy, expected) => {
    expect(of(policy, 'RecordAppended')).toMatchObject(expected);
  });

  it('does not depend on conditions that events of the type cannot meet', () => {
    const policy = show({ types: ['*'], kinds: ['dev-record'] });
    expect(of(policy, 'RiskRaised')).toMatchObject({ record: 'none' });
  });

  it('is partial for decisions if only live ones are visible', () => {
    const policy: Policy = { show: [{ types: ['*'] }], decisions: 'live' };
    expect(of(policy, 'DecisionRecorded')).toMatchObject({ record: 'some' });
  });

  it('names the members that are removed from decisions', () => {
    const cold = { types: ['DecisionRecorded'], without: ['rationale' as const] };
    const own = { types: ['DecisionRecorded'], authors: ['$reader'] };
    expect(of(show(cold), 'DecisionRecorded')?.withheld).toEqual(['rationale']);
    expect(of(show(cold, own), 'DecisionRecorded')?.withheld).toEqual(['rationale']);
    expect(of(show(cold, { types: ['*'] }), 'DecisionRecorded')?.withheld).toEqual([]);
  });

  it('holds for creations under every policy', () => {
    expect(of(show({ types: ['RiskRaised'] }), 'ContextCreated')).toMatchObject({
      record: 'all',
      working: 'all',
    });
  });

  it('agrees with the visibility filter for every event', () => {
    fc.assert(
      fc.property(policies, sources, fc.boolean(), (policy, source, hasFailed) => {
        const filter = new VisibilityFilter(policy, { audience: 'random', agentId: 'a' });
        const withheld = filter.withheldOf(source, () => hasFailed);
        const summary = of(policy, source.type);
        const extent = summary?.[source.visibility];
        if (extent === 'none') expect(withheld).toBeUndefined();
        if (extent === 'all') expect(withheld).toBeDefined();
        if (source.type === 'DecisionRecorded')
          expect(summary?.withheld).toEqual(expect.arrayContaining([...(withheld ?? [])]));
      }),
      { numRuns: 3000 },
    );
  });
});

const agents = ['a', 'b', 'random'];
const names = (values: readonly string[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 }), { nil: undefined });

const conditions = {
  types: fc.oneof(
    fc.constant(['*']),
    fc.uniqueArray(fc.constantFrom(...types), { minLength: 1 }),
    fc.constant(['DecisionRecorded', 'RecordAppended', 'SummaryAdded', 'GateFailed']),
  ),
  authors: names([...agents, '$reader', '$self']),
  steps: names(['s']),
  kinds: names(['k']),
  to: names(['b', '$reader']),
};
const showing = fc.record(
  {
    ...conditions,
    visibility: fc.constantFrom(['record'], ['working'], ['record', 'working']),
    failedSteps: fc.constantFrom(true, undefined),
    without: fc.option(fc.uniqueArray(fc.constantFrom(...withheldMembers), { minLength: 1 }), {
      nil: undefined,
    }),
  },
  { requiredKeys: ['types'] },
);

const policies: fc.Arbitrary<Policy> = fc
  .record(
    {
      show: fc.array(showing, { minLength: 1, maxLength: 3 }),
      hide: fc.array(fc.record(conditions, { requiredKeys: ['types'] }), {
        minLength: 1,
        maxLength: 2,
      }),
      decisions: fc.constantFrom('all', 'live', undefined),
    },
    { requiredKeys: ['show'] },
  )
  .map((policy) => policySchema.parse(JSON.parse(JSON.stringify(policy))));

/** Events as they can occur: only some types have a subject. */
const sources: fc.Arbitrary<Source> = fc
  .constantFrom(...contextEvents, ...contextEvents.filter(({ aboutMember }) => aboutMember))
  .chain(({ type, aboutMember }) =>
    fc.record({
      type: fc.constant(type),
      visibility: fc.constantFrom('record' as const, 'working' as const),
      author: fc.constantFrom(...agents),
      step: fc.constantFrom('s', null),
      about: aboutMember === undefined ? fc.constant(null) : fc.constantFrom('k', 'b', 'a', null),
    }),
  );
