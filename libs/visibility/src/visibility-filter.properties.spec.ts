import fc from 'fast-check';

import {
  ContextState,
  type Item,
  type RecordedContextEvent,
  contextEvents,
  renderDocument,
} from '#shared-context';
import { contextCommands, contextFrom } from '#testing';

import { builtInPolicies } from './built-in-policies.js';
import { VisibilityFilter } from './visibility-filter.js';
import { failuresIn, filterItems } from './filter-items.js';
import { type Policy, policySchema, withheldMembers } from './policy.js';

const agents = ['tester', 'a', 'b'];
const types = contextEvents.map(({ type }) => type);

const someTypes = fc.oneof(
  fc.constant(['*']),
  fc.uniqueArray(fc.constantFrom(...types), { minLength: 1 }),
);
const some = (values: readonly string[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 }), { nil: undefined });

const showing = fc.record(
  {
    types: someTypes,
    visibility: fc.constantFrom(
      ['record'] as const,
      ['working'] as const,
      ['record', 'working'] as const,
    ),
    authors: some([...agents, '$reader', '$self']),
    failedSteps: fc.constantFrom(true as const, undefined),
    without: fc.option(fc.uniqueArray(fc.constantFrom(...withheldMembers), { minLength: 1 }), {
      nil: undefined,
    }),
  },
  { requiredKeys: ['types'] },
);
const hiding = fc.record({ types: someTypes, authors: some(agents) }, { requiredKeys: ['types'] });

const randomPolicies: fc.Arbitrary<Policy> = fc
  .record(
    {
      show: fc.array(showing, { minLength: 1, maxLength: 4 }),
      hide: fc.array(hiding, { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: ['show'] },
  )
  .map((policy) => policySchema.parse(JSON.parse(JSON.stringify(policy))));

const filters = fc
  .oneof(fc.constantFrom(...Object.values(builtInPolicies)), randomPolicies)
  .map((policy) => new VisibilityFilter(policy, { audience: 'random', agentId: 'a' }));

/** Random histories whose events have random authors and visibilities. */
const histories = fc
  .tuple(
    contextCommands,
    fc.infiniteStream(fc.tuple(fc.constantFrom(...agents), fc.constantFrom('record', 'working'))),
  )
  .map(([commands, facts]) =>
    contextFrom(commands).events.map((event): RecordedContextEvent => {
      const [principal = 'tester', visibility = 'record'] = facts.next().value ?? [];
      return { ...event, principal, visibility: visibility === 'working' ? visibility : 'record' };
    }),
  );

describe('the visibility filter', () => {
  it('returns the items that a fold of the visible events alone returns', () => {
    fc.assert(
      fc.property(histories, filters, (events, filter) => {
        const all = [...fold(events).values()];
        const alone = [...visible(events, filter).values()].filter(isRead);
        const { visible: shown, mixed } = filterItems(filter, all);
        const refolded = alone.filter(({ kind }) => mixed.has(kind));
        expect(plain([...shown, ...refolded])).toEqual(plain(alone));
      }),
      { numRuns: 2000 },
    );
  });

  it('renders the same bytes if hidden events are changed or removed', () => {
    fc.assert(
      fc.property(
        histories,
        filters,
        fc.infiniteStream(fc.boolean()),
        (events, filter, remains) => {
          const hasFailed = failuresIn(filter, fold(events).values());
          const changed = events.flatMap((event) => {
            if (filter.filterEvent(event, hasFailed)) return event;
            return remains.next().value ? altered(event) : [];
          });
          expect(shownDocument(changed, filter)).toBe(shownDocument(events, filter));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('reports no mixed kinds if all events are visible', () => {
    fc.assert(
      fc.property(histories, (events) => {
        const filter = new VisibilityFilter(
          { show: [{ types: ['*'] }] },
          { audience: 'x', agentId: null },
        );
        const recorded = events.map((event) => ({ ...event, visibility: 'record' as const }));
        const items = [...fold(recorded).values()];
        const { visible: shown, mixed } = filterItems(filter, items);
        expect(mixed.size).toBe(0);
        expect(plain(shown)).toEqual(plain(items.filter(isRead)));
      }),
      { numRuns: 200 },
    );
  });
});

function fold(events: readonly RecordedContextEvent[]): ContextState {
  return events.reduce((state, event) => state.apply(event), ContextState.from([]));
}

/** By definition: an audience sees the fold of the visible events. */
function visible(events: readonly RecordedContextEvent[], filter: VisibilityFilter): ContextState {
  const hasFailed = failuresIn(filter, fold(events).values());
  return fold(events.flatMap((event) => filter.filterEvent(event, hasFailed) ?? []));
}

function isRead({ kind }: Item): boolean {
  return !['topic', 'counter', 'idempotency', 'patched', 'summarized'].includes(kind);
}

function plain(items: readonly Item[]) {
  return items
    .map(({ sources: _, ...item }) => item)
    .toSorted((left, right) =>
      `${left.kind} ${left.key}` < `${right.kind} ${right.key}` ? -1 : 1,
    );
}

/** The document of a reader, without its version: from filtered items, and from a fold for the mixed kinds. */
function shownDocument(events: readonly RecordedContextEvent[], filter: VisibilityFilter): string {
  const { visible: shown, mixed } = filterItems(filter, [...fold(events).values()]);
  const refolded = [...visible(events, filter).values()].filter(({ kind }) => mixed.has(kind));
  const size = { events: 0, bytes: 0, tokens: 0 };
  const facts = { workspace: 'w', contextId: 'c', version: 0, size };
  return JSON.stringify(
    renderDocument([...shown, ...refolded], { ...facts, lastModifiedAt: '', lastModifiedBy: '' }),
  );
}

const otherContent: Partial<Record<RecordedContextEvent['type'], object>> = {
  StepOutputAdded: { output: 'something else' },
  StepFailed: { reason: 'something else' },
  DecisionRecorded: { decision: 'something else', rationale: 'something else' },
  PreferencesSet: { values: { hidden: 'something else' } },
  GlobalContextSet: { values: { hidden: 'something else' } },
  ArtifactReferenced: { artifactId: 'something-else' },
  RequirementRecorded: { text: 'something else' },
  ReviewRecorded: { artifact: 'something else' },
  SummaryAdded: { text: 'something else', summaryId: 'something-else' },
};

/** The same event with other content. */
function altered(event: RecordedContextEvent): RecordedContextEvent {
  const data = { ...event.data, ...otherContent[event.type] };
  // The cast is safe because the table has members of the payload of that type.
  return { ...event, data, recordedAt: '2030-01-01T00:00:00.000Z' } as RecordedContextEvent;
}
