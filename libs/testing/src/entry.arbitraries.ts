import fc from 'fast-check';

import { type ContextCommand } from '#shared-context';

import { jsonObject } from './json.arbitraries.js';
import { command } from './weighted-command.js';

const id = fc.constantFrom('a', 'b', '__proto__', '1', 'ä 😀');
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

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
    status: maybe(fc.constantFrom('open' as const, 'mitigated' as const)),
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
  {
    recordId: id,
    stepId: maybe(fc.constantFrom('a', 'b')),
    body: fc.constantFrom('x', 'y'),
    title: maybe(fc.constant('t')),
  },
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
    .map(([data, fields]) => ({ ...data, kind: 'custom' as const, fields })),
  record.map((data) => ({ ...data, kind: 'dev-record' as const, fields: { summary: ['s'] } })),
);

/**
 * Requirements, risks, dependencies, blockers, reviews, records and signals. There are so few ids that commands refer
 * to the same items.
 */
export const entryCommand: fc.Arbitrary<ContextCommand> = fc.oneof(
  command('RecordRequirement', requirement, 2),
  command('RaiseRisk', risk, 2),
  command('UpdateRisk', riskUpdate, 2),
  command('DeclareDependency', dependency, 2),
  command('RaiseBlocker', blocker, 2),
  command('ClearBlocker', clearing, 2),
  command('RecordReview', review, 6),
  command('AppendRecord', anyRecord, 2),
  command('EmitSignal', signal, 2),
);
