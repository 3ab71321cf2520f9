import { type Source } from '#shared-context';
import { did, recordContextEvent } from '#testing';

import { builtInPolicies } from './built-in-policies.js';
import { PolicyIndex } from './policy-index.js';
import { VisibilityFilter } from './visibility-filter.js';
import { type Policy } from './policy.js';

const reader = { audience: 'reviewer', agentId: 'ada' };
const filter = (policy: Policy) => new VisibilityFilter(policy, reader);
const source = (type: Source['type'], facts: Partial<Source> = {}): Source => ({
  type,
  visibility: 'record',
  author: 'bob',
  step: null,
  about: null,
  ...facts,
});
const never = () => false;

describe('a rule of a policy', () => {
  it('matches only events of visibility record unless it lists working', () => {
    const working = source('StepFailed', { visibility: 'working' });
    expect(filter({ show: [{ types: ['StepFailed'] }] }).shows(working, never)).toBe(false);
    const both = filter({ show: [{ types: ['StepFailed'], visibility: ['working'] }] });
    expect(both.shows(working, never)).toBe(true);
    expect(both.shows(source('StepFailed'), never)).toBe(false);
  });

  it('matches events that match all its conditions', () => {
    const of = filter({ show: [{ types: ['StepStarted'], authors: ['bob'], steps: ['s'] }] });
    expect(of.shows(source('StepStarted', { step: 's' }), never)).toBe(true);
    expect(of.shows(source('StepStarted', { step: 't' }), never)).toBe(false);
    expect(of.shows(source('StepStarted', { step: 's', author: 'eve' }), never)).toBe(false);
    expect(of.shows(source('StepStarted'), never)).toBe(false);
  });

  it('matches every event type by *', () => {
    expect(filter({ show: [{ types: ['*'] }] }).shows(source('RiskRaised'), never)).toBe(true);
  });

  it('matches the agent of the key and the name of the audience by $reader', () => {
    const mine = filter({ show: [{ types: ['*'], authors: ['$reader'] }] });
    for (const [author, visible] of [
      ['ada', true],
      ['reviewer', true],
      ['bob', false],
    ] as const)
      expect(mine.shows(source('RiskRaised', { author }), never)).toBe(visible);
  });

  it('matches only the agent of the key by $self', () => {
    const mine = filter({ show: [{ types: ['*'], authors: ['$self'] }] });
    for (const [author, visible] of [
      ['ada', true],
      ['reviewer', false],
      ['$self', false],
      ['bob', false],
    ] as const)
      expect([author, mine.shows(source('RiskRaised', { author }), never)]).toEqual([
        author,
        visible,
      ]);
    const nobody = new VisibilityFilter(mine.policy, { audience: 'reviewer', agentId: null });
    expect(nobody.shows(source('RiskRaised', { author: 'reviewer' }), never)).toBe(false);
  });

  it('matches only failed steps if it says failedSteps', () => {
    const failed = filter({ show: [{ types: ['StepOutputAdded'], failedSteps: true }] });
    const output = source('StepOutputAdded', { step: 's' });
    expect(failed.shows(output, never)).toBe(false);
    expect(failed.shows(output, (stepId) => stepId === 's')).toBe(true);
  });
});

describe('a policy', () => {
  it('hides an event that matches a hide rule, even if it matches a show rule', () => {
    const but = filter({ show: [{ types: ['*'] }], hide: [{ types: ['*'], authors: ['eve'] }] });
    expect(but.shows(source('RiskRaised'), never)).toBe(true);
    expect(but.shows(source('RiskRaised', { author: 'eve' }), never)).toBe(false);
  });

  it.each([
    'ValueDerived',
    'AgentInputsChecked',
    'GatePassed',
    'GateFailed',
    'SummaryAdded',
  ] as const)('shows a %s only by its name if it hides anything', (type) => {
    const derived = source(type);
    const hide = [{ types: ['*'], authors: ['eve'] }];
    expect(filter({ show: [{ types: ['*'] }] }).shows(derived, never)).toBe(true);
    expect(filter({ show: [{ types: ['*'] }], hide }).shows(derived, never)).toBe(false);
    expect(filter({ show: [{ types: ['*'], authors: ['bob'] }] }).shows(derived, never)).toBe(
      false,
    );
    expect(filter({ show: [{ types: ['*', type] }], hide }).shows(derived, never)).toBe(true);
  });

  it('shows summaries only by their name unless it shows everything that they may cover', () => {
    const summary = source('SummaryAdded');
    const made = source('SummaryAdded', { visibility: 'working' });
    const all = { types: ['*'] };
    const sees = (policy: Policy, what = summary) => filter(policy).shows(what, never);
    expect(sees({ show: [all] })).toBe(true);
    expect(sees({ show: [all] }, made)).toBe(false);
    expect(sees({ show: [{ ...all, visibility: ['record', 'working'] }] }, made)).toBe(true);
    expect(sees({ show: [{ ...all, visibility: ['working'] }] }, made)).toBe(false);
    expect(sees({ show: [{ ...all, without: ['rationale'] }] })).toBe(false);
    expect(sees({ show: [all], decisions: 'live' })).toBe(false);
    expect(sees({ show: [{ types: ['SummaryAdded'] }], decisions: 'live' })).toBe(true);
    const unwithheld = { show: [{ ...all, without: ['rationale' as const] }, all] };
    expect(sees(unwithheld)).toBe(true);
  });

  it('never hides the life cycle of a context', () => {
    const blind = filter({ show: [{ types: ['RiskRaised'] }], hide: [{ types: ['*'] }] });
    for (const type of ['ContextCreated', 'ContextClosed', 'ContextRestored'] as const)
      expect(blind.shows(source(type, { visibility: 'working' }), never)).toBe(true);
  });

  it('withholds the members that every matching rule withholds', () => {
    const recorded = recordContextEvent(
      did('DecisionRecorded', { decisionId: 'd', decision: 'x', rationale: 'y', tradeOffs: 'z' }),
      1,
    );
    const visible = (policy: Policy) => filter(policy).filterEvent(recorded, never)?.data;
    const narrow = { types: ['DecisionRecorded'], without: ['rationale', 'tradeOffs'] as const };
    const show = [{ ...narrow, without: [...narrow.without] }];
    expect(visible({ show })).toEqual({ decisionId: 'd', decision: 'x' });
    const wider = { types: ['*'], without: ['tradeOffs' as const] };
    expect(visible({ show: [...show, wider] })).toEqual({
      decisionId: 'd',
      decision: 'x',
      rationale: 'y',
    });
    expect(visible({ show: [...show, { types: ['*'] }] })).toEqual(recorded.data);
  });
});

describe('the built-in audience', () => {
  const sees = (audience: string, ...facts: Parameters<typeof source>) =>
    new VisibilityFilter(builtInPolicies[audience] ?? { show: [] }, {
      audience,
      agentId: 'ada',
    }).shows(source(...facts), (stepId) => stepId === 'failed');

  it('reviewer sees no attempt, failure, output, review, working note or handover of others', () => {
    for (const type of ['StepStarted', 'StepFailed', 'StepOutputAdded', 'ReviewRecorded'] as const)
      expect(sees('reviewer', type)).toBe(false);
    expect(sees('reviewer', 'ArtifactReferenced', { visibility: 'working' })).toBe(false);
    expect(sees('reviewer', 'RecordAppended', { about: 'dev-record' })).toBe(true);
    expect(sees('reviewer', 'RecordAppended', { about: 'kickoff-insights' })).toBe(false);
  });

  it('reviewer sees its own reviews, and none of another agent, even one named reviewer', () => {
    const review = (author: string) => sees('reviewer', 'ReviewRecorded', { author });
    expect(['ada', 'bob', 'reviewer'].map(review)).toEqual([true, false, false]);
    const record = { author: 'ada', about: 'review-record' };
    expect(sees('reviewer', 'RecordAppended', record)).toBe(true);
    expect(sees('reviewer', 'RecordAppended', { ...record, author: 'reviewer' })).toBe(false);
  });

  it('developer sees insights and reviews, and no output of a step', () => {
    expect(sees('developer', 'RecordAppended', { about: 'kickoff-insights' })).toBe(true);
    expect(sees('developer', 'ReviewRecorded')).toBe(true);
    expect(sees('developer', 'StepOutputAdded', { step: 'failed' })).toBe(false);
  });

  it('failure-analyst sees attempts at failed steps, including working ones, and no decision', () => {
    const attempt = { step: 'failed', visibility: 'working' } as const;
    expect(sees('failure-analyst', 'StepOutputAdded', attempt)).toBe(true);
    expect(sees('failure-analyst', 'StepOutputAdded', { step: 'fine' })).toBe(false);
    expect(sees('failure-analyst', 'StepFailed', { step: 'fine' })).toBe(true);
    expect(sees('failure-analyst', 'DecisionRecorded')).toBe(false);
  });

  it('failure-analyst sees the story, working notes of failed steps, reviews, and signals that report or revoke a failure', () => {
    const about = (kind: string) => sees('failure-analyst', 'RecordAppended', { about: kind });
    const story = ['kickoff-insights', 'dev-record', 'review-record', 'failure-analysis'];
    expect(story.filter(about)).toEqual(story);
    expect(['custom', 'retrospective', 'uat'].filter(about)).toEqual([]);
    const note = (step: string | null) =>
      sees('failure-analyst', 'RecordAppended', { step, visibility: 'working', about: 'custom' });
    expect(['failed', 'fine', null].map(note)).toEqual([true, false, false]);
    const signal = (name: string) => sees('failure-analyst', 'SignalEmitted', { about: name });
    const ends = ['IMPLEMENTATION COMPLETE', 'REVIEW PASSED', 'REVIEW PASSED WITH FIXES'];
    const visible = ['IMPLEMENTATION BLOCKED', 'REVIEW FAILED', ...ends];
    expect(visible.filter(signal)).toEqual(visible);
    expect(['KICKOFF COMPLETE', 'RETRO COMPLETE'].filter(signal)).toEqual([]);
    expect(sees('failure-analyst', 'ReviewRecorded')).toBe(true);
    expect(sees('failure-analyst', 'ReviewRecorded', { visibility: 'working' })).toBe(false);
  });

  it('retrospective sees all events of visibility record and none of visibility working', () => {
    expect(sees('retrospective', 'StepFailed')).toBe(true);
    expect(sees('retrospective', 'StepFailed', { visibility: 'working' })).toBe(false);
  });
});

describe('a policy of many rules and names', () => {
  /** Counts how often its lists are read. */
  function counted(rules: number, names: number) {
    const counts = { reads: 0 };
    const list = (name: string) =>
      new Proxy(
        Array.from({ length: names }, (_, at) => `${name}-${at}`),
        {
          get: (target, member, receiver): unknown => {
            counts.reads += 1;
            return Reflect.get(target, member, receiver);
          },
        },
      );
    const ruleOf = (at: number) => ({
      types: ['*'],
      authors: list(`author-${at}`),
      steps: list(`step-${at}`),
    });
    const policy: Policy = {
      show: Array.from({ length: rules }, (_, at) => ruleOf(at)),
      hide: Array.from({ length: rules }, (_, at) => ruleOf(rules + at)),
    };
    return { counts, policy };
  }

  it('is indexed once for all readers and events', () => {
    for (const [rules, names] of [
      [2, 5],
      [100, 500],
    ] as const) {
      const { counts, policy } = counted(rules, names);
      const index = new PolicyIndex(policy);
      const once = counts.reads;
      const filterFor = (audience: string) =>
        new VisibilityFilter(policy, { audience, agentId: null }, false, index);
      const first = filterFor('reviewer');
      expect(once).toBeGreaterThanOrEqual(4 * rules * names);
      const last = { author: `author-${rules - 1}-${names - 1}` };
      for (let at = 0; at < names; at++)
        expect(
          first.shows(source('StepStarted', { ...last, step: `step-${rules - 1}-${at}` }), never),
        ).toBe(true);
      expect(first.shows(source('StepStarted', { ...last, step: 'step-0-0' }), never)).toBe(false);
      filterFor('other').shows(source('RiskRaised'), never);
      expect(counts.reads).toBe(once);
    }
  });
});
