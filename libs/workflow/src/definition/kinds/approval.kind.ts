import { workflowDefaults } from '../defaults.js';
import { type StepFinding, type StepKind } from '../step-kind.js';
import { type StepDefinition } from '../step-types.js';
import { exitBy } from '../step-routes.js';
import { approvalFields } from './approval.fields.js';

/** A person approves or rejects; the result is `{ approved }`. A skipped approval follows the route of an approved one. */
export const approvalKind: StepKind<'approval'> = {
  type: 'approval',
  fields: () => approvalFields,
  ownMembers: Object.keys(approvalFields),
  makesAttempts: false,
  hasOpenResult: false,
  expressions: () => ({}),
  exits: ({ next, on_approve, on_reject }) => [
    exitBy('success', { on_approve, next }),
    exitBy('rejection', { on_reject }),
  ],
  bypass: ({ next, on_approve }) => exitBy('bypass', { next, on_approve }),
  children: () => [],
  needsChildren: () => false,
  check: checkApproval,
  shape: 'hexagon',
  caption: ({ message }) => message ?? workflowDefaults.message,
  agents: () => ({}),
  compile: ({ message, next, on_approve, on_reject, expiry }, scope) => ({
    message: message ?? workflowDefaults.message,
    onApprove: scope.route(on_approve ?? next),
    onReject: scope.route(on_reject),
    expiry: expiry && {
      afterMs: expiry.after_ms,
      decision: expiry.default ?? workflowDefaults.expiryDecision,
    },
  }),
};

function checkApproval({
  on_approve,
  on_reject,
}: StepDefinition<'approval'>): readonly StepFinding[] {
  if (on_reject !== undefined) return [];
  return [
    {
      code: 'rejection-ends-run',
      member: on_approve === undefined ? 'type' : 'on_approve',
      message: 'a rejection ends the run as rejected: set on_reject to continue at another step',
    },
  ];
}
