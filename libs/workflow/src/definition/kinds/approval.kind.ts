import { workflowDefaults } from '../defaults.js';
import { type StepKind } from '../step-kind.js';
import { routeWithoutResult, routesWithResult } from '../step-routes.js';
import { approvalFields } from './approval.fields.js';

/** A person approves or rejects; the result is `{ approved }`. A skipped approval goes where an approved one goes. */
export const approvalKind: StepKind<'approval'> = {
  type: 'approval',
  fields: () => approvalFields,
  makesAttempts: false,
  expressions: () => ({}),
  routes: ({ next, on_approve, on_reject }) =>
    routesWithResult({ ...(on_approve === undefined ? { next } : { on_approve }), on_reject }),
  bypass: ({ next, on_approve }) =>
    routeWithoutResult('next', next) ?? routeWithoutResult('on_approve', on_approve),
  children: () => [],
  compile: ({ message, next, on_approve, on_reject, expiry }, site) => ({
    message: message ?? workflowDefaults.message,
    onApprove: site.route(on_approve ?? next),
    onReject: site.route(on_reject),
    expiry: expiry && {
      afterMs: expiry.after_ms,
      decision: expiry.default ?? workflowDefaults.expiryDecision,
    },
  }),
};
