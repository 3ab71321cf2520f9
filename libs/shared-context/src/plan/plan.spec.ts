import { contextAfter, did, recordContextEvent, specify } from '#testing';

import { contextDecider } from '../context.decider.js';
import { NotFoundError, RuleViolationError } from '../context.errors.js';
import { type NewContextEvent } from '../context.events.js';
import { ContextState } from '../context-state.js';
import { renderPlan } from './plan.document.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {});
const forAda = { origin: { agentId: 'ada', timestamp: '2025-10-16T08:00:00Z' } };

function planAfter(...events: readonly NewContextEvent[]) {
  return renderPlan([...contextAfter(created, ...events).values()]);
}

describe('requirements', () => {
  const load = { requirementId: 'R-3.2', kind: 'non_functional', text: '10,000 users' } as const;
  const more = { ...load, text: '20,000 users' };

  it('are recorded once without a change, and revised under the same id', () => {
    const recorded = did('RequirementRecorded', load);
    given(created).when({ type: 'RecordRequirement', data: load }).then(recorded);
    given(created, recorded).when({ type: 'RecordRequirement', data: load }).thenNothing();
    given(created, recorded)
      .when({ type: 'RecordRequirement', data: more })
      .then(did('RequirementRecorded', more));
  });

  it('retain their positions in the document when they are revised', () => {
    const other = { requirementId: 'F-1', kind: 'functional', text: 'log in' } as const;
    const { requirements } = planAfter(
      did('RequirementRecorded', load),
      did('RequirementRecorded', other),
      did('RequirementRecorded', more),
    );
    expect(requirements).toEqual([
      {
        ...more,
        agentId: 'tester',
        timestamp: '2026-01-01T00:00:04.000Z',
        version: 4,
        revision: 2,
      },
      expect.objectContaining({ ...other, version: 3, revision: 1 }),
    ]);
  });
});

describe('risks', () => {
  const stated = { riskId: 'RISK-001', severity: 'medium', description: 'stale reads' } as const;
  const raised = did('RiskRaised', stated);
  const update = (status: 'open' | 'mitigated' | 'occurred', mitigation?: string) => ({
    riskId: 'RISK-001',
    status,
    ...(mitigation === undefined ? {} : { mitigation }),
  });
  const updated = (...said: Parameters<typeof update>) => did('RiskUpdated', update(...said));

  it('are raised once, also after they were updated', () => {
    const raise = { type: 'RaiseRisk', data: stated } as const;
    given(created).when(raise).then(raised);
    given(created, raised).when(raise).thenNothing();
    given(created, raised, updated('mitigated', 'a note')).when(raise).thenNothing();
  });

  it('are refused if a known id has other content', () => {
    given(created, raised)
      .when({ type: 'RaiseRisk', data: { ...stated, severity: 'high' } })
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/riskId' }] });
    given(created, raised, updated('open', 'a note'))
      .when({ type: 'RaiseRisk', data: { ...stated, mitigation: 'a note' } })
      .thenRefused(RuleViolationError);
  });

  it('are raised with a status by an update in the same append', () => {
    const raise = (status: 'open' | 'mitigated') =>
      ({ type: 'RaiseRisk', data: { ...stated, status } }) as const;
    given(created).when(raise('open')).then(raised);
    given(created).when(raise('mitigated')).then(raised, updated('mitigated'));
    given(created, raised, updated('mitigated')).when(raise('mitigated')).thenNothing();
    given(created, raised, updated('mitigated')).when(raise('open')).thenNothing();
    for (const before of [[raised], [raised, updated('mitigated'), updated('occurred')]])
      given(created, ...before)
        .when(raise('mitigated'))
        .thenRefused(RuleViolationError, { issues: [{ pointer: '/status' }] });
  });

  it('are updated if the status or the mitigation changes', () => {
    const mitigated = updated('mitigated', 'a note');
    const update1 = (...said: Parameters<typeof update>) =>
      ({ type: 'UpdateRisk', data: update(...said) }) as const;
    given(created, raised).when(update1('open')).thenNothing();
    given(created, raised).when(update1('mitigated', 'a note')).then(mitigated);
    given(created, raised, mitigated).when(update1('mitigated', 'a note')).thenNothing();
    given(created, raised, mitigated).when(update1('mitigated')).thenNothing();
    given(created, raised, mitigated)
      .when(update1('mitigated', 'another'))
      .then(updated('mitigated', 'another'));
  });

  it('cannot be updated if they are unknown', () => {
    given(created)
      .when({ type: 'UpdateRisk', data: update('mitigated') })
      .thenRefused(NotFoundError, { kind: 'risk', id: 'RISK-001' });
  });

  it('show their current mitigation and status, and the authors of creation and update', () => {
    const state = [raised, updated('mitigated', 'a note'), updated('occurred')].reduce(
      (before, event, at) => before.apply(recordContextEvent(event, at + 2, at > 1 ? forAda : {})),
      contextAfter(created),
    );
    expect(renderPlan([...state.values()])['risks']).toEqual([
      {
        ...stated,
        mitigation: 'a note',
        status: 'occurred',
        agentId: 'tester',
        timestamp: '2026-01-01T00:00:02.000Z',
        version: 2,
        updatedBy: 'ada',
        updatedAt: '2025-10-16T08:00:00Z',
      },
    ]);
  });

  it('show the status open, and no mitigation if there is none', () => {
    const [risk] = [planAfter(raised)['risks']].flat();
    expect(risk).toEqual({
      ...stated,
      status: 'open',
      agentId: 'tester',
      timestamp: '2026-01-01T00:00:02.000Z',
      version: 2,
    });
  });

  it('are not created by folding an update', () => {
    const state = ContextState.from([]).apply(recordContextEvent(updated('mitigated'), 1));
    expect([...state.values()]).toEqual([]);
  });
});

describe('dependencies', () => {
  const redis = (kind: 'external' | 'internal') => ({ name: 'Redis', kind });

  it('are declared once, and corrected by declaring the other kind', () => {
    const external = did('DependencyDeclared', redis('external'));
    given(created)
      .when({ type: 'DeclareDependency', data: redis('external') })
      .then(external);
    given(created, external)
      .when({ type: 'DeclareDependency', data: redis('external') })
      .thenNothing();
    given(created, external)
      .when({ type: 'DeclareDependency', data: redis('internal') })
      .then(did('DependencyDeclared', redis('internal')));
  });

  it('are shown by kind, oldest first', () => {
    const { dependencies } = planAfter(
      did('DependencyDeclared', redis('external')),
      did('DependencyDeclared', { name: 'Kafka', kind: 'external' }),
      did('DependencyDeclared', { name: 'user-service', kind: 'external' }),
      did('DependencyDeclared', { name: 'user-service', kind: 'internal' }),
    );
    expect(dependencies).toMatchObject({
      external: [
        { name: 'Redis', kind: 'external', agentId: 'tester', version: 2 },
        { name: 'Kafka', version: 3 },
      ],
      internal: [{ name: 'user-service', version: 5 }],
      blockers: [],
    });
  });
});

describe('blockers', () => {
  const stated = { blockerId: 'BLK-1', description: 'no sandbox' };
  const raised = did('BlockerRaised', stated);
  const cleared = did('BlockerCleared', { blockerId: 'BLK-1', note: 'it is open' });

  it('are raised once, also after they were cleared', () => {
    const raise = { type: 'RaiseBlocker', data: stated } as const;
    given(created).when(raise).then(raised);
    given(created, raised).when(raise).thenNothing();
    given(created, raised, cleared).when(raise).thenNothing();
    given(created, raised)
      .when({ type: 'RaiseBlocker', data: { ...stated, description: 'x' } })
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/blockerId' }] });
  });

  it('are cleared once', () => {
    const clear = { type: 'ClearBlocker', data: { blockerId: 'BLK-1' } } as const;
    given(created, raised).when(clear).then(did('BlockerCleared', clear.data));
    given(created, raised, cleared).when(clear).thenNothing();
    given(created).when(clear).thenRefused(NotFoundError, { kind: 'blocker', id: 'BLK-1' });
  });

  it('stay in the document, with their status and the author of the clearing', () => {
    const open = { blockerId: 'BLK-2', description: 'no reviewer' };
    const { dependencies } = planAfter(raised, did('BlockerRaised', open), cleared);
    expect(dependencies).toMatchObject({
      blockers: [
        {
          ...stated,
          status: 'cleared',
          note: 'it is open',
          clearedBy: 'tester',
          clearedAt: '2026-01-01T00:00:04.000Z',
          version: 2,
        },
        { ...open, status: 'open', version: 3 },
      ],
    });
  });
});
