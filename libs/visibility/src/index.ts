export { builtInPolicies, earlierPolicies, everything } from './built-in-policies.js';
export { type HasFailed, Gate } from './gate.js';
export { failuresBy, failuresIn, gateItems, gateValues, isShown } from './gated-items.js';
export { GatedReader } from './gated-reader.js';
export { PolicyIndex } from './policy-index.js';
export { type Policy, policySchema, typesNamed } from './policy.js';
