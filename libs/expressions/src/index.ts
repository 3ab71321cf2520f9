export { formatDataPath, parseDataPath, valueAtPath } from './data-path.js';
export {
  type CompileOptions,
  type Expression,
  compileExpression,
  evaluateExpression,
} from './expression.js';
export { ExpressionError } from './expression-error.js';
export { limits as expressionLimits } from './limits.js';
export { checkSize as checkResultSize } from './result-size.js';
export type { Syntax } from './syntax.js';
