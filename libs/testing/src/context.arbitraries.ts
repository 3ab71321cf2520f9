import fc from 'fast-check';

import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type ContextCommand } from '#shared-context';

import { summaryCommand } from './summary.arbitraries.js';
import { workCommand } from './work.arbitraries.js';

/** Names that JavaScript objects, databases and pointers trip over. */
export const oddNames = ['__proto__', '', '\u0000', '\ud800', 'toString', '😀', '1', 'a/b~c', 'a'];

const name = fc.constantFrom(...oddNames);
const id = fc.constantFrom('a', 'b', '__proto__', '1', 'ä 😀');
const decisionId = fc.constantFrom('DEC-001', 'DEC-002', 'DEC-003', 'DEC-007', 'a', '__proto__');
const topic = fc.constantFrom('database', '__proto__', 'ui');
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

/** Any JSON, odd names included. */
export const jsonValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, 0, 1.5, '', 'x', '\u0000', '\ud800'),
    fc.array(tie('value'), { maxLength: 3 }),
    objectOf(tie('value')),
  ),
})).value;

export const jsonObject: fc.Arbitrary<JsonObject> = objectOf(jsonValue);

const decision = fc.record(
  {
    decisionId: maybe(decisionId),
    topic: maybe(topic),
    decision: fc.constantFrom('x', 'y'),
    confidence: maybe(fc.constantFrom(0.2, 0.8)),
    supersedes: maybe(decisionId),
    alternativesConsidered: maybe(jsonValue),
    requiresApproval: maybe(fc.boolean()),
    relatedDecisions: maybe(
      fc.array(fc.record({ decisionId, relation: fc.constant('requires' as const) }), {
        maxLength: 2,
      }),
    ),
  },
  { requiredKeys: ['decision'] },
);

const artifact = fc.record({
  artifactId: id,
  artifactType: fc.constantFrom('document', 'diagram'),
  path: fc.constantFrom('a.md', 'b.md'),
});

const severity = fc.constantFrom('critical' as const, 'low' as const);

const requirement = fc.record({
  requirementId: id,
  kind: fc.constantFrom('functional' as const, 'constraint' as const),
  text: fc.constantFrom('x', 'y'),
});
const risk = fc.record(
  {
    riskId: id,
    severity,
    description: fc.constantFrom('x', 'y'),
    mitigation: maybe(fc.constant('m')),
  },
  { requiredKeys: ['riskId', 'severity', 'description'] },
);
const riskUpdate = fc.record(
  {
    riskId: id,
    status: fc.constantFrom('open' as const, 'mitigated' as const, 'occurred' as const),
    mitigation: maybe(fc.constantFrom('m', 'n')),
  },
  { requiredKeys: ['riskId', 'status'] },
);
const dependency = fc.record({
  name: id,
  kind: fc.constantFrom('external' as const, 'internal' as const),
});
const blocker = fc.record({ blockerId: id, description: fc.constantFrom('x', 'y') });
const clearing = fc.record(
  { blockerId: id, note: maybe(fc.constant('n')) },
  { requiredKeys: ['blockerId'] },
);

const issueId = fc.constantFrom('a', 'a.1', 'b.2', '__proto__');
const issue = fc.record(
  { issueId: maybe(issueId), severity: maybe(severity), text: fc.constantFrom('x', 'y') },
  { requiredKeys: ['text'] },
);
const review = fc.record(
  {
    reviewId: id,
    artifact: fc.constantFrom('a.md', 'b.md'),
    iteration: maybe(fc.constantFrom(1, 2)),
    reviewer: maybe(id),
    status: fc.constantFrom('APPROVED' as const, 'REJECTED_WITH_FEEDBACK' as const),
    keyIssues: maybe(fc.array(issue, { maxLength: 3 })),
    addresses: maybe(fc.array(issueId, { maxLength: 2 })),
  },
  { requiredKeys: ['reviewId', 'artifact', 'status'] },
);
const record = fc.record(
  { recordId: id, body: fc.constantFrom('x', 'y'), title: maybe(fc.constant('t')) },
  { requiredKeys: ['recordId', 'body'] },
);
const signal = fc.oneof(
  fc.record({
    signal: fc.constantFrom('IMPLEMENTATION COMPLETE' as const, 'REVIEW PASSED' as const),
    subject: id,
  }),
  fc.record(
    {
      signal: fc.constantFrom('IMPLEMENTATION BLOCKED' as const, 'REVIEW FAILED' as const),
      subject: id,
      detail: maybe(fc.record({ reason: fc.constantFrom('x', 'y') })),
    },
    { requiredKeys: ['signal', 'subject'] },
  ),
);
const anyRecord = fc.oneof(
  fc
    .tuple(record, jsonObject)
    .map(([said, fields]) => ({ ...said, kind: 'custom' as const, fields })),
  record.map((said) => ({ ...said, kind: 'dev-record' as const, fields: { summary: ['s'] } })),
);

const handover = fc.record(
  {
    handoverId: id,
    from: maybe(id),
    to: id,
    priority: maybe(fc.constantFrom('critical' as const, 'medium' as const)),
    note: fc.constantFrom('x', 'y'),
    actionItems: maybe(fc.array(fc.constant('x'), { maxLength: 1 })),
  },
  { requiredKeys: ['handoverId', 'to', 'note'] },
);
const acknowledgement = fc.record(
  { handoverId: id, note: maybe(fc.constantFrom('x', 'y')) },
  { requiredKeys: ['handoverId'] },
);
const inputRequest = fc.record(
  {
    inputRequestId: id,
    path: fc.constantFrom('x', 'y'),
    from: id,
    reason: maybe(fc.constant('r')),
  },
  { requiredKeys: ['inputRequestId', 'path', 'from'] },
);
const providedInput = fc.record(
  { inputRequestId: id, value: maybe(jsonValue), note: maybe(fc.constantFrom('x', 'y')) },
  { requiredKeys: ['inputRequestId'] },
);

const output = fc.record(
  { stepId: id, output: jsonValue, name: maybe(id) },
  { requiredKeys: ['stepId', 'output'] },
);

const derivation = fc.record({
  path: id,
  value: jsonValue,
  from: fc.array(fc.record({ path: id, version: fc.integer({ min: 1, max: 9 }) }), {
    maxLength: 2,
  }),
  transformation: id,
  transformationVersion: fc.constantFrom(1, 2),
});

const inputCheck = fc.record({
  agent: id,
  agentVersion: fc.constantFrom(1, 2),
  checkedVersion: fc.constantFrom(1, 2),
  missing: fc.array(fc.record({ input: id, path: id, detail: fc.constant('d') }), { maxLength: 1 }),
  failed: fc.array(
    fc.record({ input: id, path: id, rule: fc.constant('format'), detail: fc.constant('d') }),
    { maxLength: 1 },
  ),
});
const measure = fc.constantFrom('overall_score', 'clarity');
const score = fc.constantFrom(5, 6.5, 9);
const quality = fc.record({
  agent: fc.constant('tester'),
  output: id,
  scores: fc
    .uniqueArray(measure, { minLength: 1 })
    .chain((names) =>
      fc
        .tuple(...names.map(() => score))
        .map((values) => Object.fromEntries(values.map((value, at) => [names[at], value]))),
    ),
});
const threshold = fc.record(
  { output: id, gate: measure, least: score, for: id },
  { requiredKeys: ['output', 'gate', 'least'] },
);

const creation = fc.record(
  {
    title: fc.string(),
    input: jsonValue,
    preferences: jsonObject,
    globalContext: jsonObject,
    metadata: jsonObject,
  },
  { requiredKeys: [] },
);

const verdict = fc.record({ decisionId });
const values = fc.record({ values: jsonObject });
const step = fc.record({ stepId: id });

/** Any command, over so few ids that commands meet. */
export const contextCommand: fc.Arbitrary<ContextCommand> = fc.oneof(
  command('CreateContext', creation, 1),
  command('CloseContext', fc.constant({}), 1),
  command('ReopenContext', fc.constant({}), 3),
  command('SetGlobalContext', values, 3),
  command('SetPreferences', values, 3),
  command('StartStep', step, 3),
  command('AddStepOutput', output, 4),
  command('FailStep', fc.record({ stepId: id, reason: fc.constantFrom('x', 'y') }), 3),
  command('NoteHandover', handover, 3),
  command('AcknowledgeHandover', acknowledgement, 3),
  command('RequestInput', inputRequest, 3),
  command('ProvideInput', providedInput, 3),
  { weight: 20, arbitrary: workCommand },
  command('ReferenceArtifact', artifact, 3),
  command('ApproveDecision', verdict, 4),
  command('RejectDecision', verdict, 2),
  {
    weight: 2,
    arbitrary: derivation.map((data) => ({
      type: 'DeriveValue' as const,
      data,
      author: 'tester',
    })),
  },
  { weight: 3, arbitrary: summaryCommand },
  command('RecordRequirement', requirement, 2),
  command('RaiseRisk', risk, 2),
  command('UpdateRisk', riskUpdate, 2),
  command('DeclareDependency', dependency, 2),
  command('RaiseBlocker', blocker, 2),
  command('ClearBlocker', clearing, 2),
  command('RecordReview', review, 6),
  command('AppendRecord', anyRecord, 2),
  command('EmitSignal', signal, 2),
  command('CheckAgentInputs', inputCheck, 3),
  {
    weight: 6,
    arbitrary: fc
      .tuple(quality, fc.array(threshold, { maxLength: 3 }))
      .map(([data, thresholds]) => ({ type: 'ScoreQuality' as const, data, thresholds })),
  },
  {
    weight: 10,
    arbitrary: decision.map((data) => ({
      type: 'RecordDecision' as const,
      data,
      confidenceThreshold: 0.5,
    })),
  },
);

/** Decisions on two topics that mostly meet: superseded, waiting, approved. */
export const decisionCommand: fc.Arbitrary<ContextCommand> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .record(
        {
          decision: fc.constant('x'),
          topic: fc.constantFrom('database', 'ui', undefined),
          supersedes: fc.constantFrom('DEC-001', 'DEC-002', 'DEC-003', 'DEC-004', undefined),
          confidence: fc.constantFrom(0.2, 0.8),
        },
        { requiredKeys: ['decision'] },
      )
      .map((data) => ({ type: 'RecordDecision' as const, data, confidenceThreshold: 0.5 })),
  },
  command('ApproveDecision', verdict, 2),
  command('RejectDecision', verdict, 1),
);

/** A context that was created, and what was asked of it since. */
export const contextCommands: fc.Arbitrary<readonly ContextCommand[]> = fc
  .tuple(
    creation,
    fc.oneof(
      fc.array(contextCommand, { maxLength: 30 }),
      fc.array(decisionCommand, { maxLength: 12 }),
      fc.array(workCommand, { maxLength: 20 }),
    ),
  )
  .map(([data, commands]) => [{ type: 'CreateContext' as const, data }, ...commands]);

function command<Type extends string, Data>(type: Type, data: fc.Arbitrary<Data>, weight: number) {
  return { weight, arbitrary: data.map((stated) => ({ type, data: stated })) };
}

function objectOf(value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  return fc
    .array(fc.tuple(name, value), { maxLength: 3 })
    .map((entries) => Object.fromEntries(entries));
}
