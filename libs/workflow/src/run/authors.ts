import { type Expression } from '#expressions';
import { type Author } from '#shared-context';

import { type CompiledStep } from '../definition/compiled-workflow.js';
import { branchesOf } from './branches-of.js';
import { namesRead } from './names-read.js';
import { stepNamed } from './references.js';
import { type RunDraft } from './run-draft.js';
import { resultFor } from './results.js';

/** The state of a search; `visited` keeps it finite if steps read each other. */
type Search = Readonly<{ draft: RunDraft; reader: string; visited: Set<string> }>;

/**
 * The authors of the work that an approval is about: the work of the steps in its `input`, or of the newest steps
 * before it. Values that the interpreter computes belong to the authors of their sources.
 */
export function authorsBefore(draft: RunDraft, stepId: string): readonly Author[] {
  const { input } = draft.definitionOf(stepId);
  const named = input.flatMap((name) => stepNamed(draft, name) ?? []);
  const search = { draft, reader: stepId, visited: new Set<string>() };
  const ofNamed = named.flatMap((each) => authorsOf(search, each));
  const found = ofNamed.length > 0 ? ofNamed : nearest(search);
  return [...new Map(found.map((author) => [JSON.stringify(author), author])).values()];
}

/** The authors of the steps that ended last, back to the newest step that a worker or a person has carried out. */
function nearest(search: Search): readonly Author[] {
  const { draft, reader } = search;
  const ended = Object.keys(draft.workflow.steps)
    .filter((stepId) => stepId !== reader)
    .map((stepId) => ({ stepId, version: resultFor(draft, reader, stepId)?.version ?? 0 }))
    .filter(({ version }) => version > 0)
    .toSorted((left, right) => right.version - left.version);
  for (const { stepId } of ended) {
    const authors = authorsOf(search, stepId);
    if (authors.length > 0) return authors;
  }
  return [];
}

function authorsOf(search: Search, stepId: string): readonly Author[] {
  const { draft, reader, visited } = search;
  if (visited.has(stepId)) return [];
  visited.add(stepId);
  const step = draft.definitionOf(stepId);
  if (step.type === 'agent') {
    const author = resultFor(draft, reader, stepId)?.author;
    return author ? [author] : [];
  }
  return sourcesOf(draft, step).flatMap((source) => authorsOf(search, source));
}

/** The steps whose work a step of the interpreter passes on. Decisions of approvals are excluded. */
function sourcesOf(draft: RunDraft, step: CompiledStep): readonly string[] {
  if (step.type === 'parallel')
    return branchesOf(draft.workflow, step.id).branches.flatMap(({ steps }) => [...steps]);
  if (step.type === 'transform') return stepsRead(draft, step.transform);
  return step.type === 'condition' ? stepsRead(draft, step.condition) : [];
}

function stepsRead(draft: RunDraft, expression: Expression): readonly string[] {
  const { steps } = namesRead(expression);
  if (steps === 'all') return Object.keys(draft.workflow.steps);
  return [...steps].flatMap((name) => stepNamed(draft, name) ?? []);
}
