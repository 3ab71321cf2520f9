import { type ContextDocument } from '../documents/context-document.js';

type Count = (document: ContextDocument) => number;

const members: readonly (readonly [string, Count])[] = [
  ['tasks', ({ tasks }) => tasks.length],
  ['requirements', ({ requirements }) => requirements.length],
  ['artifacts', ({ artifactReferences }) => artifactReferences.length],
  ['reviews', ({ reviewHistory }) => reviewHistory.length],
  ['handovers', ({ handoverNotes }) => handoverNotes.length],
  ['input requests', ({ inputRequests }) => inputRequests.length],
  ['risks', ({ risks }) => risks.length],
  ['blockers', ({ dependencies }) => dependencies.blockers.length],
  ['dependencies', ({ dependencies: { external, internal } }) => external.length + internal.length],
  ['phases', ({ completedPhases }) => completedPhases.length],
  ['signals', ({ signals }) => signals.length],
  ['step outputs', ({ stepOutputs }) => Object.keys(stepOutputs).length],
  ['global context', ({ globalContext }) => Object.keys(globalContext).length],
  ['preferences', ({ userPreferences }) => Object.keys(userPreferences).length],
  ['loops', ({ circuitBreakers }) => Object.keys(circuitBreakers).length],
  ['confidence of decisions', ({ decisionHistory: all }) => countStated(all, 'confidence')],
  ['steps of decisions', ({ decisionHistory: all }) => countStated(all, 'stepId')],
  [
    'requirements of decisions',
    ({ decisionHistory: all }) => countStated(all, 'relatedRequirements'),
  ],
];

/**
 * The content that decision records have no place for, in a word or two each. `isCarried`: whether a decision record
 * contains a record.
 */
export function notCarried(
  document: ContextDocument,
  isCarried: (recordId: string) => boolean,
): string[] {
  const others = document.records.filter(({ recordId }) => !isCarried(recordId));
  const names = members.filter(([, count]) => count(document) > 0).map(([name]) => name);
  const all = others.length > 0 ? [...names, 'records'] : names;
  return document.decisionHistory.length === 0 ? [...all, noDecision] : all;
}

/**
 * Reported instead of a file: a file without a decision would be no record, and an import would store it only as text.
 */
const noDecision = 'anything at all, because there is no decision to write a record of';

function countStated(entries: readonly object[], member: string): number {
  return entries.filter((entry) => Object.hasOwn(entry, member)).length;
}
