import { DomainError } from '#event-sourcing';
import {
  CircuitOpenError,
  type ContextCommand,
  type ContextEvent,
  type ContextEventType,
  ContextState,
  type EventData,
  type NewContextEvent,
  type RecordedContextEvent,
  contextDecider,
} from '#shared-context';

type Facts = Partial<Omit<RecordedContextEvent, 'type' | 'data' | 'version'>>;

/** An event as if recorded: one second per version, by `tester` unless said otherwise. */
export function recordContextEvent(
  event: ContextEvent | NewContextEvent,
  version: number,
  facts: Facts = {},
): RecordedContextEvent {
  return {
    eventId: `00000000-0000-4000-8000-${String(version).padStart(12, '0')}`,
    version,
    recordedAt: new Date(Date.UTC(2026, 0, 1) + version * 1000).toISOString(),
    principal: 'tester',
    origin: null,
    trust: 'agent',
    visibility: 'record',
    idempotency: null,
    bytes: Buffer.byteLength(JSON.stringify(event.data)),
    ...event,
    ...facts,
  };
}

/** The items of a context in which these events happened, in this order. */
export function contextAfter(...events: readonly (ContextEvent | NewContextEvent)[]): ContextState {
  return events.reduce(
    (state, event, index) => state.apply(recordContextEvent(event, index + 1)),
    ContextState.from([]),
  );
}

/** An event of the past, or one expected of a decision. */
export function did<Type extends ContextEventType>(
  type: Type,
  data: EventData<Type>,
  visibility: NewContextEvent['visibility'] = 'record',
): NewContextEvent {
  // Type and data belong together by the signature.
  return { type, data, visibility } as NewContextEvent;
}

/**
 * What a context came to in which these were asked, one after another; refusals change nothing, but what they are cause
 * for.
 */
export function contextFrom(commands: readonly ContextCommand[]): Readonly<{
  state: ContextState;
  events: readonly RecordedContextEvent[];
}> {
  const events: RecordedContextEvent[] = [];
  let state = ContextState.from([]);
  for (const command of commands)
    for (const event of decideOrRefuse(command, state)) {
      const recorded = recordContextEvent(event, events.length + 1);
      events.push(recorded);
      state = state.apply(recorded);
    }
  return { state, events };
}

function decideOrRefuse(command: ContextCommand, state: ContextState): readonly NewContextEvent[] {
  try {
    return contextDecider.decide(command, state);
  } catch (error) {
    if (error instanceof CircuitOpenError && error.consequence)
      return contextDecider.decide(error.consequence, state);
    if (error instanceof DomainError) return [];
    throw error;
  }
}
