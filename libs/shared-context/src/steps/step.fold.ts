import { z } from 'zod';

import { type JsonObject } from '#event-sourcing';

import {
  type RecordedContextEvent,
  type RecordedOf,
  authorOf,
  happenedAt,
} from '../context.events.js';
import { basisOf } from '../basis/stale-work.js';
import { previousEnding } from '../ending.js';
import { type EventFolds } from '../event-fold.js';
import {
  namedOutputKey,
  outputValueKey,
  stepFailureKey,
  stepKey,
  stepOutputKey,
} from '../item-keys.js';
import { type Item, type ItemChange, type ItemKey, type ItemLookup } from '../item.js';
import { asJson } from '../json.js';
import { ownScores } from '../quality/quality.events.js';
import { runOutputChanges, runOutputKeys } from '../runs/run-step.fold.js';
import { type OutputEventType } from '../runs/step-run.fold.js';
import { startMembers } from './step-starts.js';

/** The maximum number of agents whose latest ends of a step are retained; the newest ones are. */
const maxEndings = 16;

export type StepStatus = 'started' | 'completed' | 'failed';

/** The latest end of a step by an agent. */
type StepEnding = z.output<typeof stepEnding>;

const stepEnding = z.object({
  agentId: z.string(),
  timestamp: z.string(),
  how: z.enum(['completed', 'failed']),
  version: z.number(),
});

const stepEndingList = z.array(stepEnding);

/** Rows from before ends were recorded have none. */
export function stepEndings({ endings = [] }: JsonObject): readonly StepEnding[] {
  return stepEndingList.parse(endings);
}

/**
 * Status, latest output and latest failure are separate items: a failure does not remove the output, and deciding on
 * the status does not load an output.
 */
export const stepFolds: EventFolds<'StepStarted' | OutputEventType | 'StepFailed'> = {
  StepStarted: {
    touches: ({ data }) => [stepKey(data.stepId)],
    fold: (event, current) => [startedStep(event, current)],
  },
  StepOutputAdded: {
    touches: (event) => [
      ...outputKeys(event),
      ...namedItems(event).map(({ kind, key }) => ({ kind, key })),
    ],
    fold: (event, current) => [...outputChanges(event, current), ...namedItems(event)],
  },
  StepOutputDerived: { touches: outputKeys, fold: outputChanges },
  StepFailed: {
    touches: ({ data }) => [stepKey(data.stepId), stepFailureKey(data.stepId)],
    fold: (event, current) => [
      endedStep(event, current, 'failed'),
      { ...stepFailureKey(event.data.stepId), state: by(event), body: asJson(event.data) },
    ],
  },
};

function outputKeys(event: RecordedOf<OutputEventType>): readonly ItemKey[] {
  const { stepId } = event.data;
  return [stepKey(stepId), stepOutputKey(stepId), ...runOutputKeys(event)];
}

function outputChanges(
  event: RecordedOf<OutputEventType>,
  current: ItemLookup,
): readonly ItemChange[] {
  const { stepId } = event.data;
  const output: ItemChange = {
    ...stepOutputKey(stepId),
    state: {
      ...by(event),
      recordedAt: event.recordedAt,
      recordedBy: event.principal,
      visibility: event.visibility,
      ...basisOf(event),
    },
    body: asJson(event.data),
  };
  const before = current('step-output', stepId);
  return [
    endedStep(event, current, 'completed'),
    output,
    ...runOutputChanges(event, current, before),
  ];
}

function namedItems(
  event: RecordedOf<'StepOutputAdded'>,
): readonly Exclude<ItemChange, { removed: true }>[] {
  const { name, stepId, output } = event.data;
  if (name === undefined) return [];
  const agentId = authorOf(event);
  const scores = ownScores(output);
  const place = {
    agentId,
    name,
    stepId,
    version: event.version,
    ...(scores && { scores, timestamp: happenedAt(event) }),
  };
  return [
    { ...namedOutputKey(agentId, name), state: place, body: undefined },
    // The value is a separate item, so that looking up which output has a name does not load it.
    {
      ...outputValueKey(agentId, name),
      state: { ...by(event), visibility: event.visibility },
      body: output,
    },
  ];
}

function startedStep(
  event: Extract<RecordedContextEvent, { type: 'StepStarted' }>,
  current: ItemLookup,
): ItemChange {
  const key = stepKey(event.data.stepId);
  const who = by(event);
  const before = current(key.kind, key.key);
  const state = {
    status: 'started',
    startedVersion: event.version,
    ...startMembers(before?.state ?? {}, who),
    ...who,
    ...previousEnding(before),
    ...endingsIn(before),
  };
  return { ...key, state, body: undefined };
}

function endingsIn(step: Item | undefined): JsonObject {
  const endings = step?.state['endings'];
  return endings === undefined ? {} : { endings };
}

function endedStep(
  event: RecordedOf<OutputEventType | 'StepFailed'>,
  current: ItemLookup,
  status: StepEnding['how'],
): ItemChange {
  const key = stepKey(event.data.stepId);
  const before = current(key.kind, key.key)?.state ?? {};
  const who = by(event);
  const others = stepEndings(before).filter(({ agentId }) => agentId !== who.agentId);
  const ending = { ...who, how: status, version: event.version };
  const endings = [...others, ending].slice(-maxEndings);
  const state = { startedVersion: null, ...before, status, ...who, endings };
  return { ...key, state, body: undefined };
}

function by(event: RecordedContextEvent) {
  return { agentId: authorOf(event), timestamp: happenedAt(event) };
}
