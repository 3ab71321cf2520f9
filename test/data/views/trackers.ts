import { join } from 'node:path';

import { type JsonObject } from '#event-sourcing';

import { parsedJson, readLines, textOf } from './json-lines.js';
import { type Story } from './story.js';
import { type SourceEvent, nameOf, sourceEvent } from './source-event.js';

type LogEntry = Readonly<{
  id: number;
  issue_id: string;
  actor: string;
  event_type: string;
  old_value: string | null;
  new_value: string | null;
  comment: string | null;
}>;

/** The log of a work tracker: one context per item with many events, and one of all items. */
export function trackerStories(folder: string): readonly Story[] {
  const log = readLines<LogEntry>(join(folder, 'work-events', 'events.jsonl'));
  const inOrder = log.toSorted((left, right) => left.id - right.id);
  const items = [...Map.groupBy(inOrder, ({ issue_id }) => issue_id)];
  return [
    ...items
      .filter(([, events]) => events.length > 2)
      .map(([id, events]) => story(`item-${id}`, id, events)),
    story('all-items', 'all items of a work tracker', inOrder),
  ];
}

function story(name: string, title: string, log: readonly LogEntry[]): Story {
  const created: SourceEvent = sourceEvent('operator', 'ContextCreated', { title });
  const outputs = log.map((logged, at) =>
    sourceEvent(nameOf(logged.actor, 'agent'), 'StepOutputAdded', {
      stepId: `s${at + 1}`,
      output: outputOf(logged),
    }),
  );
  return { name, set: 'logs', events: [created, ...outputs] };
}

/** The changed values, as an object if possible. */
function outputOf({ issue_id, event_type, new_value, comment }: LogEntry): JsonObject {
  const said = textOf(new_value);
  return {
    item: issue_id,
    event: event_type,
    ...(said !== '' && { value: parsedJson(said) ?? said }),
    ...(comment && { comment }),
  };
}
