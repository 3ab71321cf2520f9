import { type ContextDocument } from '../documents/context-document.js';
import { notCarried } from '../json/not-carried.js';

/** The content of a context for which a context.json has no place. */
export function notCarriedBySdd(document: ContextDocument): readonly string[] {
  const { decisionHistory: decisions, reviewHistory: reviews, requirements } = document;
  const others = Object.keys(document.globalContext).filter((name) => name !== 'sdd');
  return notCarried(document, [
    ['global context', others.length > 0],
    ['step outputs', Object.keys(document.stepOutputs).length > 0],
    ['records', document.records.length > 0],
    ['tasks but the active one', document.tasks.length > 0],
    ['when phases began', document.completedPhases.some(({ startedAt }) => startedAt !== null)],
    ['topics of decisions', decisions.some(({ topic }) => topic !== undefined)],
    ['dates of decisions', decisions.some(({ date }) => date !== undefined)],
    ['confidence in decisions', decisions.some(({ confidence }) => confidence !== undefined)],
    [
      'kinds of relations',
      decisions.some(({ relatedDecisions = [] }) =>
        relatedDecisions.some(({ relation }) => relation !== 'relates'),
      ),
    ],
    ['outcomes of gates', reviews.some(({ gate }) => gate !== undefined)],
    ['weights of issues', reviews.some(({ keyIssues }) => keyIssues.some(isWeighted))],
    ['acknowledgements of handovers', document.handoverNotes.some((one) => one.status !== 'open')],
    ['requirements that are met', requirements.some(({ met }) => met !== undefined)],
    ['cleared blockers', document.dependencies.blockers.some((one) => one.status === 'cleared')],
    ['quality of outputs', Object.keys(document.quality ?? {}).length > 0],
  ]);
}

function isWeighted({ severity }: Readonly<{ severity: string }>): boolean {
  return severity !== 'medium';
}
