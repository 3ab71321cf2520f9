import { branchesOf } from './branches-of.js';
import { stepNamed } from './references.js';
import { type RunDraft, executor } from './run-draft.js';
import { resultFor } from './results.js';

/** So many agents are named as authors at most. */
const mostAuthors = 100;

/**
 * Whose work an approval is about: that of the steps which its `input` names, or of the one that led to it. What the interpreter has
 * made of others' work is theirs.
 */
export function authorsBefore(draft: RunDraft, stepId: string): readonly string[] {
  const { input } = draft.definitionOf(stepId);
  const named = input.flatMap((name) => stepNamed(draft, name) ?? []);
  const before = draft.run.previousSteps.toReversed();
  const sources = named.length > 0 ? named : nearest(draft, stepId, before);
  return [...new Set(sources.flatMap((source) => authorsOf(draft, stepId, source)))]
    .filter((author) => author !== executor)
    .slice(0, mostAuthors);
}

/** The newest steps before it, back to the first one that somebody has carried out. */
function nearest(draft: RunDraft, stepId: string, before: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const source of before) {
    if (source === stepId) continue;
    found.push(source);
    if (authorsOf(draft, stepId, source).some((author) => author !== executor)) break;
  }
  return found;
}

function authorsOf(draft: RunDraft, reader: string, stepId: string): readonly string[] {
  const { type } = draft.definitionOf(stepId);
  if (type === 'parallel')
    return branchesOf(draft.workflow, stepId).branches.flatMap(({ steps }) =>
      [...steps].flatMap((child) => authorsOf(draft, reader, child)),
    );
  const author = resultFor(draft, reader, stepId)?.author;
  return type === 'approval' || author === undefined || author === null ? [] : [author];
}
