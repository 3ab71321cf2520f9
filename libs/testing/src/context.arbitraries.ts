import fc from 'fast-check';

import { type ContextCommand, statedOutcomes } from '#shared-context';

import { entryCommand } from './entry.arbitraries.js';
import { jsonObject, jsonValue } from './json.arbitraries.js';
import { summaryCommand } from './summary.arbitraries.js';
import { command } from './weighted-command.js';
import { workCommand } from './work.arbitraries.js';

const id = fc.constantFrom('a', 'b', '__proto__', '1', 'ä 😀');
const decisionId = fc.constantFrom('DEC-001', 'DEC-002', 'DEC-003', 'DEC-007', 'a', '__proto__');
const topic = fc.constantFrom('database', '__proto__', 'ui');
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

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
const requestedPath = fc.constantFrom(
  'x',
  'global_context.a',
  'global_context.a.b',
  'context.a',
  'context.__proto__.b',
  'tester.outputs.a',
  'tester.outputs.a.__proto__',
  'b.inputs["a"].b',
);
const inputRequest = fc.record(
  {
    inputRequestId: id,
    path: requestedPath,
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
  { output: id, gate: measure, minimum: score, for: id },
  { requiredKeys: ['output', 'gate', 'minimum'] },
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

/** Any command. There are so few ids that commands refer to the same items. */
export const contextCommand: fc.Arbitrary<ContextCommand> = fc.oneof(
  command('CreateContext', creation, 1),
  command(
    'CloseContext',
    fc.record({ outcome: fc.constantFrom(...statedOutcomes) }, { requiredKeys: [] }),
    1,
  ),
  command('ReopenContext', fc.constant({}), 3),
  command('SetGlobalContext', values, 3),
  command('SetPreferences', values, 3),
  command('StartStep', step, 3),
  command('AddStepOutput', output, 4),
  command('FailStep', fc.record({ stepId: id, reason: fc.constantFrom('x', 'y') }), 3),
  command('NoteHandover', handover, 3),
  command('AcknowledgeHandover', acknowledgement, 3),
  command('RequestInput', inputRequest, 3),
  {
    weight: 3,
    arbitrary: fc.tuple(providedInput, fc.boolean()).map(([data, isPerson]) => ({
      type: 'ProvideInput' as const,
      data,
      provider: { agentId: 'tester', isPerson },
    })),
  },
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
  { weight: 22, arbitrary: entryCommand },
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

/** Decisions on two topics, most of which interact: superseded, waiting, approved. */
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

/** The creation of a context, followed by other commands. */
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
