import { type JsonObject } from '#event-sourcing';

import { type Item } from '../item.js';
import { type ConsistencyRule } from './consistency-rule.js';
import { ContextRecord } from './context-record.js';
import { type Finding } from './finding.js';
import { missingParts } from './required-parts.js';
import { blockedTask } from './rules/blocked-task.rule.js';
import { failedGates } from './rules/failed-gate.rule.js';
import { failedStep } from './rules/failed-step.rule.js';
import { incompleteInputs } from './rules/incomplete-inputs.rule.js';
import { loopLimit } from './rules/loop-limit.rule.js';
import { missingArtifact } from './rules/missing-artifact.rule.js';
import { missingDecision } from './rules/missing-decision.rule.js';
import { missingRelatedArtifact } from './rules/missing-related-artifact.rule.js';
import { missingRequirement } from './rules/missing-requirement.rule.js';
import { missingTask } from './rules/missing-task.rule.js';
import { openBlocker } from './rules/open-blocker.rule.js';
import { openHandover } from './rules/open-handover.rule.js';
import { openInputRequest } from './rules/open-input-request.rule.js';
import { openIssue } from './rules/open-issue.rule.js';
import { openWhenClosed } from './rules/open-when-closed.rule.js';
import { outdatedWork } from './rules/outdated-work.rule.js';
import { pendingDecision } from './rules/pending-decision.rule.js';
import { rejectedPhase } from './rules/rejected-phase.rule.js';
import { reviewOrder } from './rules/review-order.rule.js';
import { unknownReviewed } from './rules/unknown-reviewed.rule.js';
import { unmetDependency } from './rules/unmet-dependency.rule.js';

const rules: readonly ConsistencyRule[] = [
  missingArtifact,
  missingRelatedArtifact,
  missingDecision,
  missingRequirement,
  missingTask,
  loopLimit,
  openHandover,
  openIssue,
  rejectedPhase,
  reviewOrder,
  unknownReviewed,
  failedStep,
  blockedTask,
  openBlocker,
  openInputRequest,
  pendingDecision,
  outdatedWork,
  incompleteInputs,
  unmetDependency,
  openWhenClosed,
];

/** `document`: the rendered items. `required`: parts of the document that must not be empty. */
type ConsistencyInput = Readonly<{
  items: Iterable<Item>;
  document: JsonObject;
  required?: readonly string[];
  /** Selects the items that findings may mention, by default all. The others count as existing. */
  isSubject?: ((item: Item) => boolean) | undefined;
}>;

/** `ok`: no finding is an error. */
export type ConsistencyReport = Readonly<{ ok: boolean; findings: readonly Finding[] }>;

/** Checks the record of a context for contradictions and gaps. Errors come first in the findings. */
export function checkConsistency({
  items,
  document,
  required = [],
  isSubject,
}: ConsistencyInput): ConsistencyReport {
  const record = new ContextRecord(items, isSubject);
  const findings = [
    ...missingParts(document, required),
    ...rules.flatMap((rule) => rule(record)),
    ...failedGates(document),
  ];
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  return { ok: errors.length === 0, findings: [...errors, ...warnings] };
}
