import {
  type ContextCommand,
  type EventData,
  type NewContextEvent,
  placeOfPath,
} from '#shared-context';
import { type DerivationCause } from '#transformations';

import { type VisibleTrigger } from './derive-values.js';

const triggeringTypes: ReadonlySet<ContextCommand['type']> = new Set([
  'AddStepOutput',
  'AdvanceRun',
  'CompleteTask',
  'ProvideInput',
  'SetGlobalContext',
]);

/** Whether the events of a command may trigger transformations. */
export function mayDerive({ type }: ContextCommand): boolean {
  return triggeringTypes.has(type);
}

/** The possible triggers of transformations among events; `author`: the author of events that do not name one. */
export function derivationTriggers(
  events: readonly NewContextEvent[],
  author: string,
): readonly VisibleTrigger[] {
  return events.flatMap((event) => {
    const cause = causeOf(event, event.principal ?? author);
    return cause ? [{ cause, visibility: event.visibility }] : [];
  });
}

/** The trigger of an explicit request. Its visibility is `record`, so that only the sources limit who sees the value. */
export function requestOf({
  derive,
}: Readonly<{ derive?: string | undefined }>): readonly VisibleTrigger[] {
  if (derive === undefined) return [];
  return [{ cause: { kind: 'requested', transformationId: derive }, visibility: 'record' }];
}

function causeOf(event: NewContextEvent, agentId: string): DerivationCause | undefined {
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
