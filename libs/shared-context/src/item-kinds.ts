import { artifactItemKinds } from './artifacts/artifact.events.js';
import { decisionItemKinds } from './decisions/decision.events.js';
import { derivedItemKinds } from './derived/derived.events.js';
import { globalItemKinds } from './global/global.events.js';
import { handoverItemKinds } from './handovers/handover.events.js';
import { inputRequestItemKinds } from './input-requests/input-request.events.js';
import { defineItemKind } from './item-kind.js';
import { lifeItemKinds } from './life/life.events.js';
import { loopItemKinds } from './loops/loop.events.js';
import { baselineItemKinds } from './metrics/baseline.events.js';
import { phaseItemKinds } from './phases/phase.events.js';
import { planItemKinds } from './plan/plan.events.js';
import { qualityItemKinds } from './quality/quality.events.js';
import { recordItemKinds } from './records/record.events.js';
import { reviewItemKinds } from './reviews/review.events.js';
import { runItemKinds } from './runs/run.events.js';
import { signalItemKinds } from './signals/signal.events.js';
import { sourceItemKinds } from './sources/source-document.events.js';
import { stepItemKinds } from './steps/step.events.js';
import { summaryItemKinds } from './summaries/summary.events.js';
import { taskItemKinds } from './tasks/task.events.js';
import { lineageItemKinds } from './lineage/lineage.events.js';

/** All kinds of items; each is defined next to the events that create its items. */
export const itemKindDefinitions = [
  ...lifeItemKinds,
  ...globalItemKinds,
  ...stepItemKinds,
  ...decisionItemKinds,
  ...artifactItemKinds,
  ...taskItemKinds,
  ...phaseItemKinds,
  ...loopItemKinds,
  ...baselineItemKinds,
  ...planItemKinds,
  ...reviewItemKinds,
  ...recordItemKinds,
  ...signalItemKinds,
  ...handoverItemKinds,
  ...inputRequestItemKinds,
  ...qualityItemKinds,
  // Created by the first event, of any type, of a request with an idempotency key.
  defineItemKind('idempotency'),
  ...lineageItemKinds,
  ...derivedItemKinds,
  ...summaryItemKinds,
  ...sourceItemKinds,
  ...runItemKinds,
] as const;

export type ItemKind = (typeof itemKindDefinitions)[number]['kind'];

export const itemKinds: readonly ItemKind[] = itemKindDefinitions.map(({ kind }) => kind);
