export { builtInPolicies, everything } from './audiences/built-in-policies.js';
export { Gate, type HasFailed, type Reader } from './audiences/gate.js';
export {
  type GatedItems,
  failuresIn,
  gateItems,
  gateValues,
  isShown,
} from './audiences/gated-items.js';
export {
  type FactKind,
  type Facts,
  type Tally,
  type TallyInput,
  digestOf,
  factsOf,
  lineOf,
  mergeTallies,
  rollupOf,
  tallyOf,
} from './digests/index.js';
export { type Policy, policySchema, typesNamed } from './audiences/policy.js';
export { type ReceiptFacts, parseReceiptText, receiptText } from './receipts/receipt-facts.js';
export {
  type ReceiptKind,
  type RendererVersions,
  receiptKinds,
  rendererVersions,
} from './receipts/renderer-versions.js';
export { type Named, type TemplateData } from './templates/data.js';
export { templateLimits } from './templates/limits.js';
export { renderTemplate } from './templates/renderer.js';
export { TemplateError } from './templates/template.error.js';
export { parseTemplate } from './templates/template.parser.js';
export { type Template } from './templates/template.js';
export {
  type Tokenizer,
  type TokenizerName,
  tokenizerNames,
  tokenizerOf,
} from './tokens/tokenizer.js';
