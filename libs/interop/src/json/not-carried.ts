import { type ContextDocument } from '../documents/context-document.js';

/** The content of a context for which documents of other systems have no place, including that of `others`. */
export function notCarried(
  document: ContextDocument,
  others: readonly (readonly [words: string, has: boolean])[],
): readonly string[] {
  const { artifactReferences: artifacts, inputRequests, signals, userPreferences } = document;
  const parts: readonly (readonly [string, boolean])[] = [
    ...others,
    ['artifacts', artifacts.length > 0],
    ['signals', signals.length > 0],
    ['input requests', inputRequests.length > 0],
    ['preferences', Object.keys(userPreferences).length > 0],
    ['derived values', Object.keys(document.derived).length > 0],
    ['input of the context', Object.keys(document.input ?? {}).length > 0],
    ['workflow', document.workflow !== null],
    ['runs', document.run !== null && document.run !== undefined],
  ];
  return ['hashes', 'receipts', ...parts.filter(([, has]) => has).map(([words]) => words)];
}
