import {
  type Activity,
  type ContextState,
  type EndedDecision,
  type Item,
  type ItemKey,
  endedDecisions,
} from '#shared-context';

import { type ViewSource } from '../compose/layout.js';
import { type Entry, entryOf } from './entry.js';
import { refOf } from './item-ref.js';
import { timelineSection } from './section.js';
import { standingParts } from './standing-part.js';
import { viewKinds, viewSource } from './view-source.js';
import { newestSummary } from './view-summary.js';

type Contents = Readonly<{ contextId: string; state: ContextState; activity: Activity }>;

/** What a context gives its views, carried on from event to event at the cost of what each changes. Never changes itself. */
export class LiveSource {
  static of({ contextId, state, activity }: Contents): LiveSource {
    const items = [...state.values()].filter(isViewed);
    const source = viewSource({ contextId, items });
    const others = items.filter((item) => !timelineSection(item) && item.kind !== 'step');
    return new LiveSource(
      { ...source, standing: standingParts(others, activity) },
      new Map(others.map((item) => [nameOf(item), item])),
      endedDecisions(items),
    );
  }

  private constructor(
    readonly source: ViewSource,
    private readonly others: ReadonlyMap<string, Item>,
    private readonly ended: readonly EndedDecision[],
  ) {}

  /** With the items of some keys as `state` has them. */
  next(keys: readonly ItemKey[], contents: Contents): LiveSource {
    const touched = keys.filter(isViewed);
    // What becomes of a decision says something of everything that rests on it.
    const isFarReaching = touched.some(({ kind }) => kind === 'decision' || kind === 'creation');
    return isFarReaching ? LiveSource.of(contents) : this.#with(touched, contents);
  }

  #with(keys: readonly ItemKey[], { state, activity }: Contents): LiveSource {
    const changed: Entry[] = [];
    const gone = new Set<string>();
    const others = new Map(this.others);
    for (const key of keys) {
      const item = state.get(key.kind, key.key);
      const section = item && timelineSection(item);
      if (item && section)
        changed.push(entryOf(item, section, { current: state.lookup, ended: this.ended }));
      else gone.add(refOf(key));
      if (item && !section && item.kind !== 'step') others.set(nameOf(key), item);
      else others.delete(nameOf(key));
    }
    const told = [...others.values()];
    const source = {
      header: this.source.header,
      timeline: this.source.timeline.with(changed, gone),
      standing: standingParts(told, activity),
      summary: newestSummary(told.filter(({ kind }) => kind === 'summary')),
    };
    return new LiveSource(source, others, this.ended);
  }
}

function isViewed({ kind }: ItemKey): boolean {
  return viewKinds.includes(kind);
}

function nameOf({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
