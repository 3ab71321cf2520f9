import {
  type ContextCommand,
  type EventData,
  type NewContextEvent,
  placeOfPath,
} from '#shared-context';
import { type DerivationCause } from '#transformations';

import { type VisibleHappening } from './derive-values.js';

const reasons: ReadonlySet<ContextCommand['type']> = new Set([
  'AddStepOutput',
  'AdvanceRun',
  'CompleteTask',
  'ProvideInput',
  'SetGlobalContext',
]);

/** Whether what a command leads to may be a reason to derive values. */
export function mayDerive({ type }: ContextCommand): boolean {
  return reasons.has(type);
}

/** What events are to transformations; `author`: whose work they are unless they say so themselves. */
export function derivationTriggers(
  events: readonly NewContextEvent[],
  author: string,
): readonly VisibleHappening[] {
  return events.flatMap((event) => {
    const happening = happeningOf(event, event.principal ?? author);
    return happening ? [{ happening, visibility: event.visibility }] : [];
  });
}

/** A request does not limit who sees the derived value. Only its sources do. */
export function requestOf({
  derive,
}: Readonly<{ derive?: string | undefined }>): readonly VisibleHappening[] {
  if (derive === undefined) return [];
  return [{ happening: { kind: 'requested', transformationId: derive }, visibility: 'record' }];
}

function happeningOf(event: NewContextEvent, agentId: string): DerivationCause | undefined {
  if (event.type === 'GlobalContextSet')
    return { kind: 'global', members: Object.keys(event.data.values) };
  if (event.type === 'TaskCompleted') return { kind: 'completion', agentId };
  if (event.type === 'InputProvided') return provisionOf(event);
  if (event.type === 'StepOutputDerived')
    return { kind: 'output', stepId: event.data.stepId, agentId, name: undefined };
  if (event.type !== 'StepOutputAdded') return undefined;
  const { stepId, name } = event.data;
  return { kind: 'output', stepId, agentId, name };
}

function provisionOf({ data }: Readonly<{ data: EventData<'InputProvided'> }>) {
  const place = placeOfPath(data.path);
  return place && ({ kind: 'provided', place } as const);
}
