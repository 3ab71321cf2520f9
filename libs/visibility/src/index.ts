export { builtInPolicies, earlierPolicies, everything } from './built-in-policies.js';
export { type HasFailed, VisibilityFilter } from './visibility-filter.js';
export { failuresBy, failuresIn, filterItems, filterValues, isShown } from './filter-items.js';
export { FilteredReader } from './filtered-reader.js';
export { PolicyIndex } from './policy-index.js';
export { type Policy, policySchema, typesNamed, withheldMembers } from './policy.js';
export { type TypeVisibility, visibilityOfTypes } from './type-visibility.js';
