import {
  type ContextEventType,
  type EventData,
  type RecordedContextEvent,
  ContextState,
  contextRegistry,
} from '#shared-context';

/** An act of an agent as an event that is not recorded yet. */
export type SourceEvent = Readonly<{ by: string; type: ContextEventType; data: unknown }>;

export function sourceEvent<Type extends ContextEventType>(
  by: string,
  type: Type,
  data: EventData<Type>,
): SourceEvent {
  return { by: nameOf(by, 'unnamed'), type, data };
}

/** Events as in the log: parsed by their schemas, one second per version, by the stated agents. */
export function recorded(events: readonly SourceEvent[]): readonly RecordedContextEvent[] {
  return events.map(({ by, type, data }, at) => {
    const version = at + 1;
    const event = contextRegistry.decode({ type, schemaVersion: versionOf(type), data });
    return {
      ...event,
      eventId: `00000000-0000-4000-8000-${String(version).padStart(12, '0')}`,
      version,
      recordedAt: new Date(Date.UTC(2026, 0, 1) + version * 1000).toISOString(),
      principal: by,
      origin: null,
      trust: 'agent',
      visibility: 'record',
      idempotency: null,
      bytes: JSON.stringify(event.data).length,
    };
  });
}

/** The state after these events. */
export function stateAfter(events: readonly RecordedContextEvent[]): ContextState {
  return events.reduce((state, event) => state.apply(event), ContextState.from([]));
}

/** A valid name for contexts: some logs have whole sentences, or nothing. */
export function nameOf(said: unknown, otherwise: string): string {
  const text = typeof said === 'string' ? said.replaceAll(/\p{Cc}/gu, ' ').toWellFormed() : '';
  const name = Array.from(text).slice(0, 256).join('').trim();
  return name === '' || name === 'admin' || name.startsWith('key:') ? otherwise : name;
}

function versionOf(type: ContextEventType): number {
  return contextRegistry.find(type)?.version ?? 1;
}
