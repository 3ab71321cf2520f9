import { artifactFolds } from './artifacts/artifact.fold.js';
import { type ContextEventType, type RecordedContextEvent } from './context.events.js';
import { decisionFolds } from './decisions/decision.fold.js';
import { derivedFolds } from './derived/derived.fold.js';
import { type EventFold, type EventFolds } from './event-fold.js';
import { globalFolds } from './global/global.fold.js';
import { handoverFolds } from './handovers/handover.fold.js';
import { inputRequestFolds } from './input-requests/input-request.fold.js';
import { type ItemChange, type ItemKey, type ItemLookup } from './item.js';
import { lifeFolds } from './life/life.fold.js';
import { loopFolds } from './loops/loop.fold.js';
import { baselineFolds } from './metrics/baseline.fold.js';
import { phaseFolds } from './phases/phase.fold.js';
import { planFolds } from './plan/plan.fold.js';
import { qualityFolds } from './quality/quality.fold.js';
import { recordFolds } from './records/record.fold.js';
import { reviewFolds } from './reviews/review.fold.js';
import { runFolds } from './runs/run.fold.js';
import { runStepFolds } from './runs/run-step.fold.js';
import { signalFolds } from './signals/signal.fold.js';
import { sourceFolds } from './sources/source-document.fold.js';
import { stepFolds } from './steps/step.fold.js';
import { summaryFolds } from './summaries/summary.fold.js';
import { taskFolds } from './tasks/task.fold.js';
import { completionKeys, completions } from './lineage/automatic-checkpoint.js';
import { lineageFolds } from './lineage/lineage.fold.js';

const folds: EventFolds<ContextEventType> = {
  ...lifeFolds,
  ...globalFolds,
  ...stepFolds,
  ...taskFolds,
  ...phaseFolds,
  ...loopFolds,
  ...baselineFolds,
  ...decisionFolds,
  ...artifactFolds,
  ...handoverFolds,
  ...inputRequestFolds,
  ...planFolds,
  ...reviewFolds,
  ...recordFolds,
  ...signalFolds,
  ...qualityFolds,
  ...derivedFolds,
  ...summaryFolds,
  ...sourceFolds,
  ...lineageFolds,
  ...runFolds,
  ...runStepFolds,
};

/** The items that {@link foldEvent} may read or change, computed from the event alone. */
export function touchedKeys(event: RecordedContextEvent): readonly ItemKey[] {
  return [...foldOf(event).touches(event), ...completionKeys(event), ...idempotencyKeys(event)];
}

/** The changes of an event to the items of its context. Events are facts, so this never refuses one. */
export function foldEvent(event: RecordedContextEvent, current: ItemLookup): readonly ItemChange[] {
  return [
    ...foldOf(event).fold(event, current),
    ...completions(event, current),
    ...idempotencyChanges(event),
  ];
}

/** Like {@link foldEvent}, but interruptible for events that may change many items. */
export function* foldEventInSteps(
  event: RecordedContextEvent,
  current: ItemLookup,
): Generator<void, readonly ItemChange[]> {
  const { fold, foldInSteps } = foldOf(event);
  const changes = foldInSteps ? yield* foldInSteps(event, current) : fold(event, current);
  return [...changes, ...completions(event, current), ...idempotencyChanges(event)];
}

function foldOf({ type }: RecordedContextEvent): EventFold<ContextEventType> {
  // The table is keyed by event type, so the fold accepts this event.
  return folds[type] as unknown as EventFold<ContextEventType>;
}

function idempotencyKeys({ idempotency }: RecordedContextEvent): readonly ItemKey[] {
  return idempotency?.index === 0 ? [{ kind: 'idempotency', key: idempotency.key }] : [];
}

/**
 * The facts to repeat the response to an idempotency key: the fingerprint of the body and the versions of the events.
 */
function idempotencyChanges(event: RecordedContextEvent): readonly ItemChange[] {
  const { idempotency, version } = event;
  if (!idempotency) return [];
  const { fingerprint, count } = idempotency;
  return idempotencyKeys(event).map((key) => ({
    ...key,
    state: { fingerprint, count, version },
    body: undefined,
  }));
}
