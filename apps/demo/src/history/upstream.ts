import { type EventRecord } from '../agent-trail/trail.schema.js';

const names = /Upstream dependency "([^"]+)" failed/;
const failed = /^"([^"]+)" failed/;
const skipped = /^Whether to skip (\S+)$/;

/** Which event a trail's own words name as the reason of another: `Upstream dependency "tests" failed`. */
export class Upstream {
  readonly #ended = new Map<string, string>();

  /** Undefined if the entry names nothing, or nothing that was recorded. */
  causeOf(event: EventRecord | undefined): string | undefined {
    const [, named] = names.exec(event?.content ?? '') ?? [];
    return named === undefined ? undefined : this.#ended.get(named);
  }

  /** A task ends where it is said to have failed, or where it is decided to skip it. */
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
