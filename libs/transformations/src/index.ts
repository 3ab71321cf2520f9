export { compileTransformation } from './compile-transformation.js';
export { type DerivationCause, DerivationCauses } from './derivation-causes.js';
export { transformationLimits } from './limits.js';
export { orderTransformations } from './order-transformations.js';
export { overlap } from './place.js';
export { PathIndex } from './path-index.js';
export { type DerivedPlace, type PlacedPath, placedPath } from './placed-path.js';
export { refuseConflicts } from './refuse-conflicts.js';
export { StepBudget, StepsExceededError } from './step-budget.js';
export { type DefinitionIssue, TransformationError } from './transformation.error.js';
export {
  type TransformationDefinition,
  transformationDefinition,
} from './transformation.schema.js';
export {
  type TransformationResult,
  type Transformation,
  runTransformation,
} from './transformation.js';
export { TransformationSet } from './transformation-set.js';
