import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type Failure } from '#shared-context';

import { missingReference, referencesOf } from './references.js';
import { type RunDraft } from './run-draft.js';
import { contextFor, inputOf } from './scope.js';

/** A view of the context and its receipt; used if the context is larger than the budget of the worker. */
export type ContextView = Readonly<{ text: string; receipt: string }>;

/** The envelope that a worker receives for an attempt. It has either `context` or `view`. */
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
  /** The input of the run; null if it is hidden from the worker. */
  input: JsonValue;
  /** The values that the `input` of the step names. */
  references: JsonObject;
  context?: JsonObject;
  view?: string;
  /** The failure that the step handles if it is an error handler. */
  failure: Failure | null;
  /** The comment of the approval that led to this step. */
  feedback: string | null;
  effectKey: string;
  receipt: string | null;
  /**
   * The attempt in doubt before this one; with `verify`, the worker checks whether it took effect instead of repeating
   * it.
   */
  recovers: Readonly<{ attempt: number; verify: boolean }> | null;
}>;

type EnvelopeFacts = Readonly<{ contextId: string; effectKey: string; view?: ContextView }>;

/**
 * The envelope of an attempt. Its context has all results before the step; from other branches, it has the results from
 * before the branches began. If the draft has a visibility, hidden results are omitted.
 */
export function envelopeOf(
  draft: RunDraft,
  stepId: string,
  { contextId, effectKey, view }: EnvelopeFacts,
): Envelope {
  const { name = null, parameters, input } = draft.definitionOf(stepId);
  const { visit, path } = draft.visitFields(stepId);
  const { attempt, recovers, verify } = draft.step(stepId);
  return {
    contextId,
    runId: draft.circumstances.runId,
    step: { id: stepId, path, name, parameters, visit, attempt },
    input: draft.visibility?.showsInput() === false ? null : inputOf(draft),
    references: referencesOf(draft, stepId, input),
    ...(view ? { view: view.text } : { context: contextFor(draft, stepId) }),
    ...causesOf(draft, stepId),
    effectKey,
    receipt: view?.receipt ?? null,
    recovers: recovers === null ? null : { attempt: recovers, verify },
  };
}

/**
 * The first name in the `input` of a scheduled step whose value is hidden. The step would have failed if a value did
 * not exist.
 */
export function hiddenReference(draft: RunDraft, stepId: string): string | undefined {
  return missingReference(draft, stepId, draft.definitionOf(stepId).input);
}

function causesOf(draft: RunDraft, stepId: string): Pick<Envelope, 'failure' | 'feedback'> {
  const { visibility } = draft;
  const { handles, feedback } = draft.step(stepId);
  const isHidden = visibility && handles && !visibility.showsFailure(handles);
  return {
    failure: isHidden ? null : handles,
    feedback: visibility && feedback !== null && !visibility.showsFeedback() ? null : feedback,
  };
}

/** The facts that an effect key is derived from; the path contains the visit. */
type EffectFacts = Readonly<{
  workspace: string;
  contextId: string;
  runId: string;
  path: string;
  /** The hash of {@link envelopeText}. */
  inputHash: string;
}>;

/**
 * The text whose hash is the effect key: the same for all attempts of a visit with the same values. After a restore, an
 * attempt with other values has another key.
 */
export function effectText(facts: EffectFacts): string {
  const { workspace, contextId, runId, path, inputHash } = facts;
  return JSON.stringify([workspace, contextId, runId, path, inputHash]);
}

/** The text whose hash is the `inputHash` of an effect key. */
export function envelopeText({
  input,
  references,
  context,
  view,
  failure,
  feedback,
}: Envelope): string {
  return JSON.stringify([input, references, context ?? view, failure, feedback]);
}
