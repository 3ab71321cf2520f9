export { builtInPolicies, everything } from './audiences/built-in-policies.js';
export { Gate, type HasFailed, type Reader } from './audiences/gate.js';
export {
  type GatedItems,
  failuresIn,
  gateItems,
  gateValues,
  isShown,
} from './audiences/gated-items.js';
export { type Policy, policySchema, typesNamed } from './audiences/policy.js';
