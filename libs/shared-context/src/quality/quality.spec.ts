import { type JsonValue } from '#event-sourcing';
import { contextAfter, did, recordContextEvent, specify } from '#testing';

import { eventLine } from '../comparison/event-line.js';
import { contextDecider } from '../context.decider.js';
import { RuleViolationError } from '../context.errors.js';
import { type NewContextEvent, contextRegistry } from '../context.events.js';
import { type RegisteredAgent } from '../registered-agent.js';
import { renderQuality } from './quality.document.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {});
const added = did('StepOutputAdded', { stepId: 'analysis', output: {}, name: 'brief' });
const of = { agent: 'tester', output: 'brief' };

function qualityAfter(...events: readonly NewContextEvent[]) {
  return renderQuality([...contextAfter(created, ...events).values()]);
}

describe('scores', () => {
  const stated = { ...of, scores: { overall_score: 6.5, clarity: 9 } };
  const score = { type: 'ScoreQuality', data: stated } as const;
  const scored = did('QualityScored', stated);
  const thresholds = [
    { output: 'brief', gate: 'overall_score', minimum: 6.5, for: 'pm' },
    { output: 'brief', gate: 'clarity', minimum: 9.5 },
    { output: 'brief', gate: 'feasibility', minimum: 1 },
    { output: 'notes', gate: 'clarity', minimum: 1 },
  ];
  const forManager = { ...of, gate: 'overall_score', for: 'pm', score: 6.5, threshold: 6.5 };
  const passed = did('GatePassed', forManager);
  const failed = did('GateFailed', { ...of, gate: 'clarity', score: 9, threshold: 9.5 });

  it('are recorded for a known output only', () => {
    given(created, added).when(score).then(scored);
    given(created)
      .when(score)
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/output' }] });
  });

  it('pass or fail gates in the same append', () => {
    given(created, added)
      .when({ ...score, thresholds })
      .then(scored, passed, failed);
  });

  it('are not recorded again if output, scores and thresholds are the same', () => {
    const before = given(created, added, scored, passed, failed);
    before.when({ ...score, thresholds }).thenNothing();
    const lower = thresholds.map((one) => ({ ...one, minimum: 1 }));
    before
      .when({ ...score, thresholds: lower.slice(0, 1) })
      .then(scored, did('GatePassed', { ...forManager, threshold: 1 }));
    given(created, added, scored, passed, failed, added)
      .when({ ...score, thresholds })
      .then(scored, passed, failed);
  });

  it('replace earlier scores with their gates', () => {
    const again = did('QualityScored', { ...of, scores: { overall_score: 4 } });
    expect(qualityAfter(added, scored, passed, failed)).toMatchObject({
      gates: { passed: 1, failed: 1 },
      overallScore: 6.5,
    });
    expect(qualityAfter(added, scored, passed, failed, again)).toEqual({
      inputs: {},
      outputs: {
        tester: {
          brief: {
            scores: { overall_score: 4 },
            gates: [],
            current: true,
            agentId: 'tester',
            timestamp: '2026-01-01T00:00:06.000Z',
            version: 6,
          },
        },
      },
      gates: { passed: 0, failed: 0 },
      overallScore: 4,
    });
  });

  it('show their gates, and whether the output is still the scored one', () => {
    expect(qualityAfter(added, scored, passed, failed, added)).toMatchObject({
      outputs: {
        tester: {
          brief: {
            gates: [
              { gate: 'overall_score', for: 'pm', status: 'passed', score: 6.5, threshold: 6.5 },
              { gate: 'clarity', status: 'failed', score: 9, threshold: 9.5 },
            ],
            version: 3,
            current: false,
          },
        },
      },
    });
  });

  it('have an overall score, which is the mean of the overall scores of outputs', () => {
    const other = did('QualityScored', {
      agent: 'pm',
      output: 'prd',
      scores: { overall_score: 7 },
    });
    const third = did('QualityScored', { agent: 'ux', output: 'ui', scores: { overall_score: 8 } });
    expect(qualityAfter(scored, other, third)['overallScore']).toBe(7.17);
    const part = did('QualityScored', { ...of, scores: { clarity: 1 } });
    expect(qualityAfter(part)['overallScore']).toBeNull();
    expect(qualityAfter()).toEqual({});
  });

  it.each([
    [{}],
    [{ a: '1' }],
    [{ 'a b': 1 }],
    [JSON.parse('{"__proto__":1}')],
    [[1]],
    [Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`m${at}`, 1]))],
  ])('cannot be %j', (scores) => {
    const event = { type: 'QualityScored', schemaVersion: 1, data: { ...of, scores } };
    expect(() => contextRegistry.decode(event)).toThrow();
  });

  it('are described in one line', () => {
    expect([scored, passed, failed].map(eventLine)).toEqual([
      'brief of tester scored: overall_score 6.5, clarity 9',
      'gate overall_score of brief of tester for pm: 6.5 of 6.5, passed',
      'gate clarity of brief of tester: 9 of 9.5, failed',
    ]);
  });
});

describe('scores that an output contains', () => {
  const output = (quality_metrics: JsonValue) =>
    did('StepOutputAdded', { stepId: 'analysis', output: { quality_metrics }, name: 'brief' });
  const own = output({ overall_score: 7.7, clarity: 8, remark: 'good', 'a b': 1 });
  const given = did('QualityScored', { ...of, scores: { overall_score: 4 } });
  const asked = (...thresholds: RegisteredAgent['thresholds']): readonly RegisteredAgent[] => [
    {
      agentId: 'pm',
      name: 'PM',
      role: 'r',
      kind: 'llm',
      required: [],
      optional: [],
      needs: [],
      thresholds,
    },
  ];

  it('count, and are compared with the thresholds', () => {
    const registry = asked(
      { agent: 'tester', output: 'brief', gate: 'overall_score', minimum: 7, for: 'pm' },
      { agent: 'tester', output: 'brief', gate: 'clarity', minimum: 9 },
      { agent: 'tester', output: 'brief', gate: 'remark', minimum: 1 },
      { agent: 'tester', output: 'other', gate: 'clarity', minimum: 9 },
      { agent: 'other', output: 'brief', gate: 'clarity', minimum: 9 },
    );
    const items = [...contextAfter(created, own).values()];
    expect(renderQuality(items, registry)).toEqual({
      inputs: {},
      outputs: {
        tester: {
          brief: {
            scores: { overall_score: 7.7, clarity: 8 },
            gates: [
              { gate: 'overall_score', for: 'pm', status: 'passed', score: 7.7, threshold: 7 },
              { gate: 'clarity', status: 'failed', score: 8, threshold: 9 },
            ],
            current: true,
            agentId: 'tester',
            timestamp: '2026-01-01T00:00:02.000Z',
            version: 2,
          },
        },
      },
      gates: { passed: 1, failed: 1 },
      overallScore: 7.7,
    });
  });

  it('are overridden by recorded scores until the output is added again', () => {
    expect(qualityAfter(own, given)).toMatchObject({ overallScore: 4 });
    expect(qualityAfter(own, given, own)).toMatchObject({
      overallScore: 7.7,
      outputs: { tester: { brief: { version: 4, current: true } } },
    });
    expect(qualityAfter(own, given, added)).toMatchObject({
      overallScore: 4,
      outputs: { tester: { brief: { version: 3, current: false } } },
    });
  });

  it.each([[null], ['good'], [[8]], [{}], [{ clarity: '8' }], [{ 'a b': 8 }]])(
    'are ignored in %j',
    (metrics) => {
      expect(qualityAfter(output(metrics))).toEqual({});
    },
  );

  it('are the first 32 numbers', () => {
    const members = Array.from({ length: 40 }, (_, at) => [`m${at}`, at]);
    expect(qualityAfter(output(Object.fromEntries(members)))).toMatchObject({
      outputs: { tester: { brief: { scores: Object.fromEntries(members.slice(0, 32)) } } },
    });
  });
});

describe('checks of inputs', () => {
  const missing = [{ input: 'brief', path: 'analyst.outputs.brief', detail: 'is not there' }];
  const found = { agent: 'pm', agentVersion: 2, checkedVersion: 3, missing, failed: [] };
  const checked = did('AgentInputsChecked', found);
  const check = (data: object = {}) =>
    ({ type: 'CheckAgentInputs', data: { ...found, ...data } }) as const;

  it('are recorded if the findings change', () => {
    given(created).when(check()).then(checked);
    given(created, checked).when(check()).thenNothing();
    given(created, checked)
      .when(check({ checkedVersion: 9 }))
      .thenNothing();
    for (const changed of [{ agentVersion: 3 }, { missing: [] }, { agent: 'ux' }])
      given(created, checked)
        .when(check(changed))
        .then(did('AgentInputsChecked', { ...found, ...changed }));
  });

  it('are recorded again with another visibility', () => {
    const working = { ...checked, visibility: 'working' } as const;
    given(created, working).when(check()).then(checked);
    given(created, checked)
      .when({ ...check(), visibility: 'working' })
      .then(working);
  });

  it('show the newest check of each agent, and whether it passed', () => {
    const ready = did('AgentInputsChecked', { ...found, agent: 'ux', missing: [] });
    expect(qualityAfter(checked, ready)).toMatchObject({
      inputs: {
        pm: { ok: false, missing, failed: [], agentVersion: 2, agentId: 'tester', version: 2 },
        ux: { ok: true, missing: [], failed: [], version: 3 },
      },
      outputs: {},
    });
    expect(eventLine(checked)).toBe('inputs of pm: 1 missing, 0 failed');
  });
});
