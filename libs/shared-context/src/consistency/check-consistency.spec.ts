import fc from 'fast-check';

import { contextAfter, contextCommand, contextFrom, did } from '#testing';

import { renderDocument } from '../context.document.js';
import { type NewContextEvent } from '../context.events.js';
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

const decision = (decisionId: string, more: object = {}) =>
  did('DecisionRecorded', { decisionId, decision: 'd', ...more });

describe('the consistency of a record', () => {
  it('is whole where nothing contradicts anything', () => {
    expect(
      checkedAfter(
        did('ArtifactReferenced', { artifactId: 'spec', artifactType: 'doc', path: 'spec.md' }),
        did('StepOutputAdded', { stepId: 'plan', output: 1, artifactIds: ['spec'] }),
        did('RequirementRecorded', { requirementId: 'R-1', kind: 'functional', text: 'sign in' }),
        did('RequirementRecorded', { requirementId: 'A:B', kind: 'functional', text: 'sign out' }),
        decision('DEC-001', { relatedRequirements: ['R-1', 'R-1: sign in', 'A:B'] }),
        decision('DEC-002', { relatedDecisions: [{ decisionId: 'DEC-001', relation: 'enables' }] }),
      ),
    ).toEqual({ ok: true, findings: [] });
  });

  it('fails on an output that names an artifact which is not there', () => {
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

  it('looks at the latest output of a step only', () => {
    const named = did('StepOutputAdded', { stepId: 'plan', output: 1, artifactIds: ['spec'] });
    expect(checkedAfter(named, did('StepOutputAdded', { stepId: 'plan', output: 2 })).ok).toBe(
      true,
    );
  });

  it('fails on a decision that names decisions which are not there, each once', () => {
    const related = (decisionId: string) => ({ decisionId, relation: 'requires' as const });
    const citing = decision('DEC-002', {
      relatedDecisions: [related('DEC-001'), related('DEC-009'), related('DEC-009')],
    });
    expect(checkedAfter(decision('DEC-001'), citing).findings).toMatchObject([
      { code: 'decision-missing', severity: 'error', ref: 'decision:DEC-002' },
    ]);
  });

  it('fails on a decision that names a requirement which is not there', () => {
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

  it('says nothing of what a superseded or rejected decision names', () => {
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

  it('warns of a decision that waits and of a step that failed, which fail nothing', () => {
    const { ok, findings } = checkedAfter(
      decision('DEC-001', { requiresApproval: true }),
      did('StepFailed', { stepId: 'build', reason: 'r' }),
    );
    expect(ok).toBe(true);
    expect(findings).toMatchObject([
      { code: 'step-failed', severity: 'warning', ref: 'step:build' },
      { code: 'decision-pending', severity: 'warning', ref: 'decision:DEC-001' },
    ]);
  });

  it('forgets a failure once the step completes', () => {
    const failed = did('StepFailed', { stepId: 'build', reason: 'r' });
    expect(
      checkedAfter(failed, did('StepOutputAdded', { stepId: 'build', output: 1 })).findings,
    ).toEqual([]);
  });

  it('warns of a record without a title, and fails where the title is required', () => {
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
  ])('requires of %s that it says something: %s', (part, ok) => {
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

  it('is a function of the items, in whatever order they come', () => {
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
