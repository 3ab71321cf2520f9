import {
  type ContextEventType,
  type EventData,
  type RecordedContextEvent,
  ContextState,
  contextRegistry,
} from '#shared-context';

/** What somebody is known to have done, as an event that is not yet recorded. */
export type SourceEvent = Readonly<{ by: string; type: ContextEventType; data: unknown }>;

export function sourceEvent<Type extends ContextEventType>(
  by: string,
  type: Type,
  data: EventData<Type>,
): SourceEvent {
  return { by: nameOf(by, 'unnamed'), type, data };
}

/** Events as the log would hold them: parsed by their schemas, a second a version, by who is told to have done it. */
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

/** What these events come to. */
export function stateAfter(events: readonly RecordedContextEvent[]): ContextState {
  return events.reduce((state, event) => state.apply(event), ContextState.from([]));
}

/** A name as contexts take it: some of the logs hold whole sentences, or nothing. */
export function nameOf(said: unknown, otherwise: string): string {
  const text = typeof said === 'string' ? said.replaceAll(/\p{Cc}/gu, ' ').toWellFormed() : '';
  const name = Array.from(text).slice(0, 256).join('').trim();
  return name === '' || name === 'admin' || name.startsWith('key:') ? otherwise : name;
}

function versionOf(type: ContextEventType): number {
  return contextRegistry.find(type)?.version ?? 1;
}
