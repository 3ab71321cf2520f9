import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type Failure } from '#shared-context';

import { missingReference, referencesOf } from './references.js';
import { type RunDraft } from './run-draft.js';
import { contextFor, inputOf } from './scope.js';

/** A view of the context and its receipt, in place of a context that is larger than the worker's budget. */
export type ContextView = Readonly<{ text: string; receipt: string }>;

/** What a worker is given for an attempt. Either `context` or `view`. */
export type Envelope = Readonly<{
  contextId: string;
  runId: string;
  step: Readonly<{
    id: string;
    path: string;
    name: string | null;
    parameters: JsonObject;
    visit: number;
    attempt: number;
  }>;
  /** What the run was started with; null if that is hidden from the worker. */
  input: JsonValue;
  /** What the `input` of the step names. */
  references: JsonObject;
  context?: JsonObject;
  view?: string;
  /** The failure that the step handles, if it is an error handler. */
  failure: Failure | null;
  /** The comment of the approval that led to this step. */
  feedback: string | null;
  effectKey: string;
  receipt: string | null;
  /** The attempt in doubt before this one; `verify`: find out whether it took effect instead of repeating it. */
  recovers: Readonly<{ attempt: number; verify: boolean }> | null;
}>;

type EnvelopeFacts = Readonly<{ contextId: string; effectKey: string; view?: ContextView }>;

/**
 * Makes the envelope of an attempt. Its context has all results before the step; those of other branches are the ones from before the
 * branches began. If the draft has a visibility, hidden results are left out.
 */
export function envelopeOf(
  draft: RunDraft,
  stepId: string,
  { contextId, effectKey, view }: EnvelopeFacts,
): Envelope {
  const { name = null, parameters, input } = draft.definitionOf(stepId);
  const { visit, path } = draft.ofVisit(stepId);
  const { attempt, recovers, verify } = draft.step(stepId);
  return {
    contextId,
    runId: draft.given.runId,
    step: { id: stepId, path, name, parameters, visit, attempt },
    input: draft.visibility?.showsInput() === false ? null : inputOf(draft),
    references: referencesOf(draft, stepId, input),
    ...(view ? { view: view.text } : { context: contextFor(draft, stepId) }),
    ...whatLedTo(draft, stepId),
    effectKey,
    receipt: view?.receipt ?? null,
    recovers: recovers === null ? null : { attempt: recovers, verify },
  };
}

/** The first name in the `input` of a scheduled step whose value is hidden. None of the values is missing, or the step would have failed. */
export function hiddenReference(draft: RunDraft, stepId: string): string | undefined {
  return missingReference(draft, stepId, draft.definitionOf(stepId).input);
}

function whatLedTo(draft: RunDraft, stepId: string): Pick<Envelope, 'failure' | 'feedback'> {
  const { visibility } = draft;
  const { handles, feedback } = draft.step(stepId);
  const isHidden = visibility && handles && !visibility.showsFailure(handles);
  return {
    failure: isHidden ? null : handles,
    feedback: visibility && feedback !== null && !visibility.showsFeedback() ? null : feedback,
  };
}

/** What an effect key is made from; a path has the visit in it. */
type EffectFacts = Readonly<{
  workspace: string;
  contextId: string;
  runId: string;
  path: string;
  /** What the effect key depends on: the input, the references and the context of the envelope. */
  inputHash: string;
}>;

/**
 * The text whose hash is the effect key: the same for all attempts of a visit that are given the same. After a restore, an attempt that
 * is given something else has another key.
 */
export function effectText(facts: EffectFacts): string {
  const { workspace, contextId, runId, path, inputHash } = facts;
  return JSON.stringify([workspace, contextId, runId, path, inputHash]);
}

/** The text whose hash is the `inputHash` of an effect key. */
export function givenText({
  input,
  references,
  context,
  view,
  failure,
  feedback,
}: Envelope): string {
  return JSON.stringify([input, references, context ?? view, failure, feedback]);
}
