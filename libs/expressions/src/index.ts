export {
  dataPathIn,
  formatDataPath,
  longestDataPath,
  parseDataPath,
  valueAtPath,
} from './data-path.js';
export { type CompileOptions } from './compile-options.js';
export { type Expression, compileExpression, evaluateExpression } from './expression.js';
export { type Spend } from './evaluator.js';
export { ExpressionError } from './expression-error.js';
export { limits as expressionLimits } from './limits.js';
export { checkSize as checkResultSize } from './result-size.js';
export { lineNamesIn, namesIn } from './names-in.js';
export { reservedWords } from './parser-hints.js';
export { describe as describeValue, memberOf } from './value.js';
