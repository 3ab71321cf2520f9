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

/** A recorded event: one second per version, by default by `tester`. */
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

/** The items of a context after these events, in this order. */
export function contextAfter(...events: readonly (ContextEvent | NewContextEvent)[]): ContextState {
  return events.reduce(
    (state, event, index) => state.apply(recordContextEvent(event, index + 1)),
    ContextState.from([]),
  );
}

/** An event of the past, or an event that a decision is expected to return. */
export function did<Type extends ContextEventType>(
  type: Type,
  data: EventData<Type>,
  visibility: NewContextEvent['visibility'] = 'record',
): NewContextEvent {
  // The signature ensures that type and data belong together.
  return { type, data, visibility } as NewContextEvent;
}

/**
 * The state of a context after these commands, one after another. A rejected command changes nothing except the events
 * that it causes.
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
