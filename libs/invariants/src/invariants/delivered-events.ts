import { type StoredEvent } from '#event-sourcing';

import { type DeliveryLine } from '../history/history.schema.js';
import { Findings, type InvariantReport } from '../invariant-report.js';

type Subscriber = { readonly name: string; readonly events: Map<string, string> };

/** I5: each subscriber received exactly the committed events; within a session, positions ascend and streams are in order. */
export class DeliveredEvents {
  readonly #findings = new Findings('I5');
  readonly #subscribers: readonly Subscriber[];

  constructor(
    deliveries: readonly DeliveryLine[],
    compare: (left: string, right: string) => number,
  ) {
    const byName = Map.groupBy(deliveries, ({ subscriber }) => subscriber);
    this.#subscribers = [...byName].map(([name, own]) => ({ name, events: setOf(own) }));
    const sessions = Map.groupBy(deliveries, (line) => `${line.subscriber}#${line.session}`);
    for (const [session, own] of sessions) this.#checkOrder(session, own, compare);
  }

  find({ position, stream, version, eventId }: StoredEvent): void {
    for (const { name, events } of this.#subscribers) {
      this.#findings.checked();
      const delivered = events.get(position);
      if (delivered === undefined)
        this.#findings.offend(`${name} never received position ${position}`);
      else if (delivered !== nameOf({ stream, version, eventId }))
        this.#findings.offend(`${name} received another event as position ${position}`);
      events.delete(position);
    }
  }

  /** Call it after the whole log was read. */
  report(): InvariantReport {
    for (const { name, events } of this.#subscribers)
      for (const position of events.keys())
        this.#findings.offend(`${name} received position ${position}, which is not committed`);
    return this.#findings.report();
  }

  #checkOrder(
    session: string,
    lines: readonly DeliveryLine[],
    compare: (left: string, right: string) => number,
  ): void {
    let last: string | undefined;
    const versions = new Map<string, number>();
    for (const { position, stream, version } of lines.flatMap(({ events }) => events)) {
      if (last !== undefined && compare(last, position) >= 0)
        this.#findings.offend(`${session} received position ${position} after ${last}`);
      last = position;
      const before = versions.get(stream);
      if (before !== undefined && version !== before + 1)
        this.#findings.offend(`${session} received ${stream} ${version} after ${before}`);
      versions.set(stream, version);
    }
  }
}

function setOf(lines: readonly DeliveryLine[]): Map<string, string> {
  return new Map(
    lines.flatMap(({ events }) => events.map((event) => [event.position, nameOf(event)] as const)),
  );
}

function nameOf(event: Readonly<{ stream: string; version: number; eventId: string }>): string {
  return `${event.stream} ${event.version} ${event.eventId}`;
}
