import { type EventRecord } from '../agent-trail/trail.schema.js';

const upstreamFailure = /Upstream dependency "([^"]+)" failed/;
const failed = /^"([^"]+)" failed/;
const skipped = /^Whether to skip (\S+)$/;

/** Finds the causes that entries of a trail name in their text: `Upstream dependency "tests" failed`. */
export class Upstream {
  readonly #ended = new Map<string, string>();

  /** Returns undefined if the entry upstreamFailure no recorded event. */
  causeOf(event: EventRecord | undefined): string | undefined {
    const [, named] = upstreamFailure.exec(event?.content ?? '') ?? [];
    return named === undefined ? undefined : this.#ended.get(named);
  }

  /** Stores the event with which a task failed or was skipped. */
  remember(event: EventRecord | undefined, type: string, eventId: string | undefined): void {
    const task = event && taskEnded(event, type);
    if (task !== undefined && eventId !== undefined) this.#ended.set(task, eventId);
  }
}

function taskEnded(event: EventRecord, type: string): string | undefined {
  if (type === 'StepFailed') return failed.exec(event.content)?.[1];
  if (type !== 'DecisionRecorded' || event.type !== 'decision') return undefined;
  return skipped.exec(event.raw.question)?.[1];
}
