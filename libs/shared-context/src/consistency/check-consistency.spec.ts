import fc from 'fast-check';

import { contextAfter, contextCommand, contextFrom, did } from '#testing';

import { renderDocument } from '../context.document.js';
import { type EventData, type NewContextEvent } from '../context.events.js';
import { type Item } from '../item.js';
import { checkConsistency } from './check-consistency.js';

const created = did('ContextCreated', { title: 'Login page' });
const facts = {
  workspace: 'w',
  contextId: 'c',
  version: 1,
  lastModifiedAt: '',
  lastModifiedBy: '',
  size: { events: 1, bytes: 1, tokens: 1 },
};

function checked(items: Iterable<Item>, required: readonly string[] = []) {
  const all = [...items];
  return checkConsistency({ items: all, document: renderDocument(all, facts), required });
}

function checkedAfter(...events: readonly NewContextEvent[]) {
  return checked(contextAfter(created, ...events).values());
}

const spec = did('ArtifactReferenced', {
  artifactId: 'spec',
  artifactType: 'doc',
  path: 'spec.md',
});

function review(more: Partial<EventData<'ReviewRecorded'>>): NewContextEvent {
  const data = { reviewId: 'r-1', artifact: 'spec.md', status: 'APPROVED' as const };
  return did('ReviewRecorded', { ...data, keyIssues: [], ...more });
}

function handover(more: Partial<EventData<'HandoverNoted'>>): NewContextEvent {
  return did('HandoverNoted', { handoverId: 'h-1', to: 'sdd-pe', note: 'n', ...more });
}

const decision = (decisionId: string, more: object = {}) =>
  did('DecisionRecorded', { decisionId, decision: 'd', ...more });

describe('the consistency of a record', () => {
  it('has no findings without contradictions', () => {
    expect(
      checkedAfter(
        spec,
        did('StepOutputAdded', { stepId: 'plan', output: 1, artifactIds: ['spec'] }),
        did('RequirementRecorded', { requirementId: 'R-1', kind: 'functional', text: 'sign in' }),
        did('RequirementRecorded', { requirementId: 'A:B', kind: 'functional', text: 'sign out' }),
        decision('DEC-001', { relatedRequirements: ['R-1', 'R-1: sign in', 'A:B'] }),
        decision('DEC-002', { relatedDecisions: [{ decisionId: 'DEC-001', relation: 'enables' }] }),
      ),
    ).toEqual({ ok: true, findings: [] });
  });

  it('fails on an output that names an unknown artifact', () => {
    const named = did('StepOutputAdded', { stepId: 'plan', output: 1, artifactIds: ['spec', 'a'] });
    const spec = did('ArtifactReferenced', { artifactId: 'a', artifactType: 'doc', path: 'a.md' });
    expect(checkedAfter(named, spec)).toEqual({
      ok: false,
      findings: [
        {
          code: 'artifact-missing',
          severity: 'error',
          ref: 'step:plan',
          detail: 'its output names the artifact "spec", which is not referenced',
        },
      ],
    });
  });

  it('is checked for the latest output of a step only', () => {
    const named = did('StepOutputAdded', { stepId: 'plan', output: 1, artifactIds: ['spec'] });
    expect(checkedAfter(named, did('StepOutputAdded', { stepId: 'plan', output: 2 })).ok).toBe(
      true,
    );
  });

  it('fails on a decision that names unknown decisions, once for each', () => {
    const related = (decisionId: string) => ({ decisionId, relation: 'requires' as const });
    const citing = decision('DEC-002', {
      relatedDecisions: [related('DEC-001'), related('DEC-009'), related('DEC-009')],
    });
    expect(checkedAfter(decision('DEC-001'), citing).findings).toMatchObject([
      { code: 'decision-missing', severity: 'error', ref: 'decision:DEC-002' },
    ]);
  });

  it('fails on a decision that names an unknown requirement', () => {
    const needs = decision('DEC-001', { relatedRequirements: ['R-3.2: ten thousand users'] });
    expect(checkedAfter(needs).findings).toMatchObject([
      {
        code: 'requirement-missing',
        severity: 'error',
        ref: 'decision:DEC-001',
        detail: expect.stringContaining('"R-3.2: ten thousand users"'),
      },
    ]);
  });

  it('fails on a task that depends on an unplanned task', () => {
    const planned = (taskId: string, dependsOn: string[]) =>
      did('TaskPlanned', { taskId, title: 't', dependsOn });
    expect(
      checkedAfter(planned('task-001', []), planned('task-002', ['task-001', 'task-9'])).findings,
    ).toMatchObject([
      {
        code: 'task-missing',
        severity: 'error',
        ref: 'task:task-002',
        detail: 'it depends on the task "task-9", which nobody planned',
      },
    ]);
  });

  it('fails on blocking issues, and no others, until a review addresses them', () => {
    const issue = (issueId: string, severity: 'critical' | 'high' | 'medium') => ({
      issueId,
      severity,
      text: 'one database does not scale',
    });
    const rejected = review({
      keyIssues: [issue('i-1', 'critical'), issue('i-2', 'high'), issue('i-3', 'medium')],
    });
    expect(checkedAfter(spec, rejected).findings).toMatchObject([
      { code: 'issue-unaddressed', severity: 'error', ref: 'issue:i-1' },
      {
        code: 'issue-unaddressed',
        ref: 'issue:i-2',
        detail: 'it is high, and no review has addressed it since "r-1" raised it',
      },
    ]);
    const addressing = review({ reviewId: 'r-2', addresses: ['i-1', 'i-2'] });
    expect(checkedAfter(spec, rejected, addressing)).toEqual({ ok: true, findings: [] });
  });

  describe('of loops', () => {
    const iterations = (count: number) =>
      Array.from({ length: count }, () => did('IterationStarted', { subject: 'design_l1' }));
    const tripped = did('CircuitBreakerTripped', { subject: 'design_l1', current: 3, max: 3 });
    const ref = 'loop:design_l1';

    it('has no findings within the limit, and warns at the limit', () => {
      expect(checkedAfter(...iterations(2))).toEqual({ ok: true, findings: [] });
      expect(checkedAfter(...iterations(3)).findings).toEqual([
        {
          code: 'iterations-near-limit',
          severity: 'warning',
          ref,
          detail: 'it has had 3 of 3 iterations: the next one will be refused',
        },
      ]);
    });

    it('fails on iterations beyond the limit, which may come from other systems', () => {
      expect(checkedAfter(...iterations(4)).findings).toMatchObject([
        { code: 'iterations-exceeded', severity: 'error', ref },
      ]);
    });

    it('fails on a tripped circuit breaker until a person resets it', () => {
      expect(checkedAfter(...iterations(3), tripped).findings).toEqual([
        {
          code: 'circuit-open',
          severity: 'error',
          ref,
          detail: 'its breaker is tripped at 3 of 3 iterations',
        },
      ]);
      const reset = did('CircuitBreakerReset', { subject: 'design_l1' });
      expect(checkedAfter(...iterations(3), tripped, reset)).toEqual({ ok: true, findings: [] });
    });
  });

  describe('of phases and reviews', () => {
    const completed = did('PhaseCompleted', { phase: 'l1_design', outputs: ['spec.md#l1'] });
    const rejected = (artifact: string) =>
      review({ reviewId: 'r-9', artifact, status: 'REJECTED_WITH_FEEDBACK' });

    it.each(['spec', 'spec.md', 'l1_design'])(
      'fails on a completed phase if the newest review rejects its output: %s',
      (artifact) => {
        expect(checkedAfter(spec, rejected(artifact), completed).findings).toMatchObject([
          {
            code: 'phase-rejected',
            severity: 'error',
            ref: 'phase:l1_design',
            detail: expect.stringContaining('r-9, says REJECTED_WITH_FEEDBACK'),
          },
        ]);
        expect(checkedAfter(spec, completed, rejected(artifact)).ok).toBe(false);
      },
    );

    it('has no findings after a newer approval, or while the phase runs again', () => {
      const approved = review({ reviewId: 'r-10', artifact: 'spec.md' });
      expect(checkedAfter(spec, rejected('spec'), completed, approved).ok).toBe(true);
      const again = did('PhaseStarted', { phase: 'l1_design' });
      expect(checkedAfter(spec, completed, rejected('spec'), again).ok).toBe(true);
    });
  });

  it('fails on critical handovers, and no others, until they are acknowledged', () => {
    const critical = handover({ priority: 'critical' });
    expect(checkedAfter(critical, handover({ handoverId: 'h-2' })).findings).toEqual([
      {
        code: 'handover-unacknowledged',
        severity: 'error',
        ref: 'handover:h-1',
        detail: 'it is critical, and sdd-pe has not acknowledged it',
      },
    ]);
    const acknowledgement = did('HandoverAcknowledged', { handoverId: 'h-1' });
    expect(checkedAfter(critical, acknowledgement)).toEqual({ ok: true, findings: [] });
  });

  it('fails on an open handover that names an unknown artifact', () => {
    const naming = handover({ relatedArtifacts: ['spec', 'spec.md#login', 'lost.md#x'] });
    expect(checkedAfter(spec, naming).findings).toMatchObject([
      {
        code: 'artifact-missing',
        severity: 'error',
        ref: 'handover:h-1',
        detail: 'it names the artifact "lost.md#x", which is not referenced',
      },
    ]);
    const carriedFrom = { contextId: 'before', handoverId: 'h-1' };
    const carried = handover({ relatedArtifacts: ['lost.md'], carriedFrom });
    expect(checkedAfter(carried)).toEqual({ ok: true, findings: [] });
  });

  it('fails on reviews with descending iterations, and warns of missing ones', () => {
    const counted = (reviewId: string, iteration: number, artifact = 'spec.md') =>
      review({ reviewId, iteration, artifact });
    const { findings } = checkedAfter(
      spec,
      did('StepStarted', { stepId: 'build' }),
      counted('r-1', 1),
      counted('r-2', 1),
      counted('r-3', 3),
      counted('r-4', 2),
      counted('r-5', 3, 'spec'),
      counted('r-6', 1, 'build'),
    );
    expect(findings).toMatchObject([
      {
        code: 'review-out-of-order',
        severity: 'error',
        ref: 'review:r-4',
        detail: 'it has iteration 2, and was recorded after a review of iteration 3',
      },
      {
        code: 'review-missing',
        severity: 'warning',
        ref: 'review:r-3',
        detail: 'it has iteration 3, and there is no review of iteration 2',
      },
    ]);
  });

  it('warns of a review of an unknown artifact', () => {
    const { findings } = checkedAfter(
      spec,
      did('TaskPlanned', { taskId: 'task-1', title: 't' }),
      did('StepStarted', { stepId: 'build' }),
      did('PhaseCompleted', { phase: 'l1_design', outputs: ['l1.md'] }),
      review({ reviewId: 'r-0', artifact: 'l1_design' }),
      review({ reviewId: 'r-0b', artifact: 'l1.md' }),
      review({ reviewId: 'r-1', artifact: 'spec.md' }),
      review({ reviewId: 'r-2', artifact: 'spec' }),
      review({ reviewId: 'r-3', artifact: 'task-1' }),
      review({ reviewId: 'r-4', artifact: 'build' }),
      review({ reviewId: 'r-5', artifact: 'elsewhere.md' }),
    );
    expect(findings).toMatchObject([
      { code: 'artifact-missing', severity: 'warning', ref: 'review:r-5' },
    ]);
  });

  it('ignores references in superseded and rejected decisions', () => {
    const wrong = { topic: 'db', relatedRequirements: ['R-9'] };
    expect(
      checkedAfter(
        decision('DEC-001', wrong),
        decision('DEC-002', { topic: 'db', supersedes: 'DEC-001' }),
        decision('DEC-003', { ...wrong, topic: 'ui', requiresApproval: true }),
        did('DecisionRejected', { decisionId: 'DEC-003' }),
      ),
    ).toEqual({ ok: true, findings: [] });
  });

  it('warns of open work, and does not fail on it', () => {
    const { ok, findings } = checkedAfter(
      decision('DEC-001', { requiresApproval: true }),
      did('StepFailed', { stepId: 'build', reason: 'r' }),
      did('TaskPlanned', { taskId: 'task-1', title: 't' }),
      did('TaskBlocked', { taskId: 'task-1', reason: 'r' }),
      did('BlockerRaised', { blockerId: 'b-1', description: 'd' }),
      did('BlockerRaised', { blockerId: 'b-2', description: 'd' }),
      did('BlockerCleared', { blockerId: 'b-2' }),
      did('InputRequested', { inputRequestId: 'q-1', path: 'a.b', from: 'analyst' }),
      did('InputRequested', { inputRequestId: 'q-2', path: 'a.b', from: 'analyst' }),
      did('InputProvided', { inputRequestId: 'q-2', value: null }),
    );
    expect(ok).toBe(true);
    expect(findings).toMatchObject([
      { code: 'step-failed', severity: 'warning', ref: 'step:build' },
      { code: 'task-blocked', severity: 'warning', ref: 'task:task-1' },
      { code: 'blocker-open', severity: 'warning', ref: 'blocker:b-1' },
      { code: 'input-awaited', severity: 'warning', ref: 'input-request:q-1' },
      { code: 'decision-pending', severity: 'warning', ref: 'decision:DEC-001' },
    ]);
  });

  it('warns of tasks that are started before their dependencies are completed', () => {
    const planned = (taskId: string, ...dependsOn: readonly string[]) =>
      did('TaskPlanned', { taskId, title: 't', dependsOn: [...dependsOn] });
    const plan = [planned('a'), planned('b', 'a'), planned('c', 'a', 'b'), planned('d', 'c')];
    const begun = [
      did('TaskStarted', { taskId: 'b' }),
      did('TaskCompleted', { taskId: 'c' }),
      did('TaskBlocked', { taskId: 'd', reason: 'waits for c' }),
    ];
    const found = checkedAfter(...plan, ...begun).findings.filter(
      ({ code }) => code === 'dependency-unmet',
    );
    const unmet = { code: 'dependency-unmet', severity: 'warning' };
    expect(found).toEqual([
      {
        ...unmet,
        ref: 'task:b',
        detail: expect.stringContaining('it is started, and the task "a"'),
      },
      { ...unmet, ref: 'task:c', detail: expect.stringContaining('completed, and the task "a"') },
      { ...unmet, ref: 'task:c', detail: expect.stringContaining('completed, and the task "b"') },
    ]);
    const inOrder = ['a', 'b'].map((taskId) => did('TaskCompleted', { taskId }));
    expect(checkedAfter(...plan, ...inOrder)).toEqual({ ok: true, findings: [] });
  });

  it('warns of open items only in a closed context', () => {
    const open = [
      did('StepStarted', { stepId: 's' }),
      did('TaskPlanned', { taskId: 't', title: 't' }),
      did('PhaseStarted', { phase: 'p' }),
      handover({}),
    ];
    const closed = did('ContextClosed', { outcome: 'completed' });
    const refs = (...events: readonly NewContextEvent[]) =>
      checkedAfter(...events).findings.map(({ code, ref }) => `${code} ${ref}`);
    expect(refs(...open, closed)).toEqual([
      'open-when-closed step:s',
      'open-when-closed task:t',
      'open-when-closed phase:p',
      'open-when-closed handover:h-1',
    ]);
    expect(refs(...open, closed, did('ContextReopened', {}))).toEqual([]);
    expect(refs(closed)).toEqual([]);
  });

  it('warns of scores below the threshold until the output is added again', () => {
    const gate = { agent: 'tester', output: 'prd', gate: 'clarity', score: 60, threshold: 75 };
    const output = did('StepOutputAdded', { stepId: 's', output: 1, name: 'prd' });
    const scored = [
      output,
      did('QualityScored', { agent: 'tester', output: 'prd', scores: { clarity: 60 } }),
      did('GateFailed', gate),
      did('GatePassed', { ...gate, gate: 'completeness', score: 90 }),
    ];
    expect(checkedAfter(...scored)).toEqual({
      ok: true,
      findings: [
        {
          code: 'gate-failed',
          severity: 'warning',
          ref: 'output:tester.prd',
          detail: 'clarity is 60, and the threshold is 75',
        },
      ],
    });
    expect(checkedAfter(...scored, output).findings).toEqual([]);
  });

  it('warns of an agent whose latest check found missing inputs', () => {
    const checkedInputs = (...inputs: string[]) =>
      did('AgentInputsChecked', {
        agent: 'architect',
        agentVersion: 1,
        checkedVersion: 1,
        failed: [],
        missing: inputs.map((input) => ({ input, path: 'pm.outputs.prd', detail: 'd' })),
      });
    expect(checkedAfter(checkedInputs('prd', 'brief', 'prd')).findings).toMatchObject([
      {
        code: 'inputs-incomplete',
        severity: 'warning',
        ref: 'agent:architect',
        detail: 'checked last at version 1, it lacked prd, brief',
      },
    ]);
    expect(checkedAfter(checkedInputs('prd'), checkedInputs()).findings).toEqual([]);
  });

  it('ignores a failure after the step is completed', () => {
    const failed = did('StepFailed', { stepId: 'build', reason: 'r' });
    expect(
      checkedAfter(failed, did('StepOutputAdded', { stepId: 'build', output: 1 })).findings,
    ).toEqual([]);
  });

  it('warns of a missing title, and fails if the title is required', () => {
    const items = [...contextAfter(did('ContextCreated', {})).values()];
    expect(checked(items)).toMatchObject({
      ok: true,
      findings: [{ code: 'part-missing', severity: 'warning', ref: 'part:title' }],
    });
    expect(checked(items, ['title', 'title'])).toMatchObject({
      ok: false,
      findings: [{ code: 'part-missing', severity: 'error', ref: 'part:title' }],
    });
  });

  it.each([
    ['decisionHistory', false],
    ['stepOutputs', false],
    ['continues', false],
    ['nowhere', false],
    ['__proto__', false],
    ['metadata.team', true],
    ['metadata.team.lead', false],
    ['metadata.empty', false],
    ['metadata.zero', true],
    ['metadata.toString', false],
  ])('requires that %s is not empty: %s', (part, ok) => {
    const metadata = { team: 'web', zero: 0, empty: [] };
    const items = contextAfter(did('ContextCreated', { title: 't', metadata })).values();
    expect(checked(items, [part]).ok).toBe(ok);
  });

  it('lists errors before warnings', () => {
    const { findings } = checkedAfter(
      did('StepFailed', { stepId: 'build', reason: 'r' }),
      did('StepOutputAdded', { stepId: 'plan', output: 1, artifactIds: ['spec'] }),
    );
    expect(findings.map(({ severity }) => severity)).toEqual(['error', 'warning']);
  });

  it('does not depend on the order of the items', () => {
    fc.assert(
      fc.property(fc.array(contextCommand, { maxLength: 40 }), (commands) => {
        const items = [...contextFrom(commands).state.values()];
        const report = checked(items);
        expect(checked(items.toReversed())).toEqual(report);
        expect(report.ok).toBe(!report.findings.some(({ severity }) => severity === 'error'));
      }),
    );
  });
});
