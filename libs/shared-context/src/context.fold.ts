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

/** Every item {@link foldEvent} may read or change, known from the event alone. */
export function touchedKeys(event: RecordedContextEvent): readonly ItemKey[] {
  return [...foldOf(event).touches(event), ...completionKeys(event), ...firstAnswerKeys(event)];
}

/** What an event does to the items of its context. Events are facts: this refuses nothing. */
export function foldEvent(event: RecordedContextEvent, current: ItemLookup): readonly ItemChange[] {
  return [
    ...foldOf(event).fold(event, current),
    ...completions(event, current),
    ...firstAnswer(event),
  ];
}

/** As {@link foldEvent}, in steps where an event may change many items. */
export function* foldEventInSteps(
  event: RecordedContextEvent,
  current: ItemLookup,
): Generator<void, readonly ItemChange[]> {
  const { fold, foldInSteps } = foldOf(event);
  const changes = foldInSteps ? yield* foldInSteps(event, current) : fold(event, current);
  return [...changes, ...completions(event, current), ...firstAnswer(event)];
}

function foldOf({ type }: RecordedContextEvent): EventFold<ContextEventType> {
  // The table is keyed by type, so the fold found takes exactly the event it was found by.
  return folds[type] as unknown as EventFold<ContextEventType>;
}

function firstAnswerKeys({ idempotency }: RecordedContextEvent): readonly ItemKey[] {
  return idempotency?.index === 0 ? [{ kind: 'idempotency', key: idempotency.key }] : [];
}

/** What the first answer to an idempotency key is made from: its body's fingerprint and where its events are. */
function firstAnswer(event: RecordedContextEvent): readonly ItemChange[] {
  const { idempotency, version } = event;
  if (!idempotency) return [];
  const { fingerprint, count } = idempotency;
  return firstAnswerKeys(event).map((key) => ({
    ...key,
    state: { fingerprint, count, version },
    body: undefined,
  }));
}
