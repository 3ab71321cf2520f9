import { createHash } from 'node:crypto';

import { type RecordedContextEvent } from '#shared-context';

import { adrStories } from './adrs.js';
import { bmadStories } from './bmad.js';
import { runStories } from './runs.js';
import { type Story } from './story.js';
import { recorded } from './source-event.js';
import { trackerStories } from './trackers.js';
import { trailStories } from './trails.js';

/** A context as real agents would write it. */
export type RealContext = Readonly<{
  name: string;
  set: Story['set'];
  /** The half of the contexts that was used to design views; the other half tests the result. */
  half: 'seen' | 'held out';
  events: readonly RecordedContextEvent[];
}>;

/** Each selected run, story, trail, log and decision record of the public data, in the order of their sets. */
export function realContexts(
  folder: string,
  choose: (stories: readonly Story[]) => readonly Story[] = (stories) => stories,
): readonly RealContext[] {
  const stories = [
    ...runStories(folder),
    ...bmadStories(folder),
    ...trailStories(folder),
    ...trackerStories(folder),
    ...adrStories(folder),
  ];
  return choose(stories).map(({ name, set, events }) => ({
    name,
    set,
    half: halfOf(name),
    events: recorded(events),
  }));
}

function halfOf(name: string): RealContext['half'] {
  const [first = 0] = createHash('sha256').update(name).digest();
  return first % 2 === 0 ? 'seen' : 'held out';
}
