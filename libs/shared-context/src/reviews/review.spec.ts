import fc from 'fast-check';

import { type JsonObject } from '#event-sourcing';
import {
  contextAfter,
  contextCommands,
  contextFrom,
  did,
  recordContextEvent,
  specify,
} from '#testing';

import { contextDecider } from '../context.decider.js';
import { type ContextState } from '../context-state.js';
import { type EventData, type NewContextEvent } from '../context.events.js';
import { RuleViolationError } from '../context.errors.js';
import { type RecordReview } from '../context.command.js';
import { renderReviews } from './review.document.js';
import { reviewRecorded } from './review.events.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {});
const rejection = {
  reviewId: 'REV-1',
  artifact: 'design/l1.md',
  status: 'REJECTED_WITH_FEEDBACK',
  keyIssues: [
    { issueId: 'REV-1.1', severity: 'high', text: 'one database does not scale' },
    { issueId: 'REV-1.2', severity: 'medium', text: 'no caching strategy' },
  ],
} as const;

function reviewed(more: Partial<EventData<'ReviewRecorded'>>): NewContextEvent {
  const { keyIssues, ...rest } = rejection;
  return did('ReviewRecorded', { ...rest, keyIssues: [...keyIssues], ...more });
}

const rejected = reviewed({});
const approved = (more: Partial<EventData<'ReviewRecorded'>> = {}) =>
  reviewed({ reviewId: 'REV-2', status: 'APPROVED', keyIssues: [], ...more });

function record(more: Partial<RecordReview['data']>): RecordReview {
  const { keyIssues, ...rest } = rejection;
  return { type: 'RecordReview', data: { ...rest, keyIssues: [...keyIssues], ...more } };
}

function reviewsAfter(...events: readonly NewContextEvent[]) {
  return reviewsIn(contextAfter(created, ...events));
}

function entriesOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

function reviewsIn(state: ContextState) {
  const { reviewHistory, openIssues } = renderReviews([...state.values()]);
  // Both are lists of objects, which their types do not express.
  return { reviewHistory, openIssues } as unknown as Record<string, JsonObject[]>;
}

describe('recording a review', () => {
  it('numbers issues without an id, with medium as default severity', () => {
    const keyIssues = [
      { severity: 'high' as const, text: 'one database does not scale' },
      { text: 'no caching strategy' },
    ];
    given(created).when(record({ keyIssues })).then(rejected);
    given(created, rejected).when(record({ keyIssues })).thenNothing();
  });

  it('requires no issues', () => {
    given(created)
      .when(record({ reviewId: 'REV-2', status: 'APPROVED', keyIssues: undefined }))
      .then(approved());
  });

  it('is recorded once, also after its issues were addressed', () => {
    given(created, rejected).when(record({})).thenNothing();
    given(created, rejected, approved({ addresses: ['REV-1.1'] }))
      .when(record({}))
      .thenNothing();
  });

  it.each([{ status: 'APPROVED' as const }, { iteration: 2 }, { keyIssues: [] }])(
    'is refused if a known id has other content, such as %j',
    (more) => {
      given(created, rejected)
        .when(record(more))
        .thenRefused(RuleViolationError, { issues: [{ pointer: '/reviewId' }] });
    },
  );

  it('refuses duplicate issues', () => {
    const twice = [{ text: 'a' }, { issueId: 'REV-3.1', text: 'b' }];
    given(created)
      .when(record({ reviewId: 'REV-3', keyIssues: twice }))
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/keyIssues/1/issueId' }] });
  });

  it('refuses a default id that another issue has', () => {
    const taken = reviewed({
      keyIssues: [{ issueId: 'REV-2.1', severity: 'low', text: 'somebody named it so' }],
    });
    given(created, taken)
      .when(record({ reviewId: 'REV-2', keyIssues: [{ text: 'another' }] }))
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/keyIssues/0/issueId' }] });
  });

  it('refuses to raise an issue of another artifact again', () => {
    const keyIssues = [{ issueId: 'REV-1.1', text: 'the first of another review' }];
    given(created, rejected)
      .when(record({ reviewId: 'REV-2', artifact: 'design/l2.md', keyIssues }))
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/keyIssues/0/issueId' }] });
  });

  it('refuses a default id that is too long', () => {
    given(created)
      .when(record({ reviewId: 'r'.repeat(256), keyIssues: [{ text: 'a' }] }))
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/keyIssues/0/issueId' }] });
  });

  it('addresses known issues only, and not its own', () => {
    given(created, rejected)
      .when(record({ reviewId: 'REV-2', keyIssues: [], addresses: ['REV-1.1', 'REV-9.1'] }))
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/addresses/1' }] });
    given(created, rejected)
      .when(record({ reviewId: 'REV-2', keyIssues: [{ text: 'a' }], addresses: ['REV-2.1'] }))
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/addresses/0' }] });
  });

  it('accepts four statuses, and no reviewer with a reserved name', () => {
    const { schema } = reviewRecorded;
    const parses = (more: object) => schema.safeParse({ ...rejection, ...more }).success;
    const statuses = ['APPROVED', 'APPROVED_WITH_FIXES', 'REJECTED_WITH_FEEDBACK', 'BLOCKED'];
    expect(statuses.map((status) => parses({ status }))).toEqual([true, true, true, true]);
    expect(parses({ status: 'REJECTED' })).toBe(false);
    expect(parses({ reviewer: 'sdd-ba' })).toBe(true);
    expect(parses({ reviewer: 'admin' })).toBe(false);
  });
});

describe('the issues of reviews', () => {
  it('are open until a later review addresses them', () => {
    const open = reviewsAfter(rejected)['openIssues'];
    expect(open).toEqual([
      {
        issueId: 'REV-1.1',
        severity: 'high',
        text: 'one database does not scale',
        artifact: 'design/l1.md',
        reviewId: 'REV-1',
        blocking: true,
        status: 'open',
        agentId: 'tester',
        timestamp: '2026-01-01T00:00:02.000Z',
        version: 2,
      },
      expect.objectContaining({ issueId: 'REV-1.2', severity: 'medium', blocking: false }),
    ]);
    const addressing = approved({ addresses: ['REV-1.1'] });
    expect(reviewsAfter(rejected, addressing)['openIssues']).toMatchObject([
      { issueId: 'REV-1.2' },
    ]);
  });

  it('name the review that addressed them first', () => {
    const after = contextAfter(
      created,
      rejected,
      approved({ addresses: ['REV-1.1', 'REV-1.1'] }),
      approved({ reviewId: 'REV-3', addresses: ['REV-1.1'] }),
    );
    expect(after.get('issue', 'REV-1.1')?.state).toMatchObject({
      status: 'addressed',
      addressedIn: 'REV-2',
      addressedAt: '2026-01-01T00:00:03.000Z',
    });
  });

  it('are open again, at the same position, if a later review raises them again', () => {
    const again = approved({
      reviewId: 'REV-3',
      keyIssues: [{ issueId: 'REV-1.1', severity: 'critical', text: 'still one database' }],
    });
    const addressing = approved({ addresses: ['REV-1.1'] });
    expect(reviewsAfter(rejected, addressing, again)['openIssues']).toMatchObject([
      { issueId: 'REV-1.1', severity: 'critical', reviewId: 'REV-3', version: 4, status: 'open' },
      { issueId: 'REV-1.2', reviewId: 'REV-1', version: 2 },
    ]);
  });

  it('are open if and only if the review history raised them last', () => {
    fc.assert(
      fc.property(contextCommands, (commands) => {
        const { reviewHistory = [], openIssues = [] } = reviewsIn(contextFrom(commands).state);
        const open = new Set<unknown>();
        for (const { keyIssues, addresses } of reviewHistory) {
          for (const issueId of entriesOf(addresses)) open.delete(issueId);
          for (const issue of entriesOf(keyIssues)) open.add(Object(issue).issueId);
        }
        expect(openIssues.map(({ issueId }) => issueId).toSorted()).toEqual([...open].toSorted());
      }),
      { numRuns: 1000 },
    );
  });

  it('are not created by addressing unknown ones', () => {
    const after = contextAfter(created, approved({ addresses: ['REV-1.1'] }));
    expect(after.get('issue', 'REV-1.1')).toBeUndefined();
  });
});

describe('the review history', () => {
  it('contains every review as sent, oldest first, with the author as default reviewer', () => {
    const named = approved({ reviewer: 'sdd-ba', participants: ['Winston (Architect)', 'Murat'] });
    expect(reviewsAfter(rejected, named)['reviewHistory']).toEqual([
      {
        ...rejection,
        reviewer: 'tester',
        agentId: 'tester',
        timestamp: '2026-01-01T00:00:02.000Z',
        version: 2,
      },
      expect.objectContaining({
        reviewId: 'REV-2',
        reviewer: 'sdd-ba',
        agentId: 'tester',
        participants: ['Winston (Architect)', 'Murat'],
        version: 3,
      }),
    ]);
  });
});
