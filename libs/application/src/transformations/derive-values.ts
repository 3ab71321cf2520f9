import { type JsonObject } from '#event-sourcing';
import {
  type DeriveValue,
  type EventData,
  type ItemKey,
  type ItemLookup,
  type NewContextEvent,
  type Visibility,
  completionOf,
  decideContext,
  derivedKey,
  shownVersion,
} from '#shared-context';
import {
  type Derived,
  type Happening,
  type Transformation,
  type TransformationSet,
  runTransformation,
} from '#transformations';

import { PlaceReader, type PlaceValue } from './place-reader.js';
import { hasHappened, triggerKeys, wasDerived } from './trigger.js';

/** UTF-8 bytes of all that one write derives: more would crowd out what the write itself says. */
const mostBytes = 262_144;

/** What happened in a write, and who may see that it did. */
export type Seen = Readonly<{ happening: Happening; visibility: Visibility }>;

/** The context a write has decided on so far; appending an event to it makes the next. */
export type Ground = Readonly<{ current: ItemLookup; append: (event: NewContextEvent) => Ground }>;

/** Derives what follows from a write: in one pass, since transformations stand behind those they rest on. */
export class ValueDerivation {
  readonly #reached: readonly Transformation[];
  readonly #reader: PlaceReader;
  readonly #seen: Seen[];
  readonly #events: NewContextEvent[] = [];
  #bytes = 0;

  constructor(
    private readonly set: TransformationSet,
    seen: readonly Seen[],
    /** Whose write it is. */
    private readonly author: string,
  ) {
    this.#seen = [...seen];
    this.#reached = set.reachedBy(seen.map(({ happening }) => happening));
    this.#reader = new PlaceReader(set.ordered.flatMap(({ destinations }) => destinations));
  }

  /** Whether nothing can follow. */
  get isIdle(): boolean {
    return this.#reached.length === 0;
  }

  /** Every item that {@link events} looks at. */
  keys(): readonly ItemKey[] {
    const looked = this.#reached.flatMap((each) => [
      ...each.sources.flatMap((source) => this.#reader.keys(source)),
      ...each.destinations.map(({ path }) => derivedKey(path)),
      ...triggerKeys(each, this.set),
    ]);
    return [...looked, completionOf(this.author)];
  }

  events(ground: Ground): readonly NewContextEvent[] {
    let at = ground;
    for (const transformation of this.#reached) at = this.#derive(transformation, at);
    return this.#events;
  }

  #derive(transformation: Transformation, ground: Ground): Ground {
    const concerns = this.#seen.flatMap(({ happening, visibility }) => {
      const concern = this.set.concernOf(happening, transformation);
      return concern ? [{ concern, visibility }] : [];
    });
    const { current } = ground;
    const isDue =
      concerns.some(({ concern }) => concern === 'trigger') ||
      (concerns.length > 0 && hasHappened(transformation, this.set, current));
    const derived = isDue ? this.#valueOf(transformation, current) : undefined;
    if (!derived) return ground;
    const isSeen = concerns.some(({ visibility }) => visibility === 'record');
    return this.#say(
      transformation,
      isSeen ? derived : { ...derived, visibility: 'working' },
      ground,
    );
  }

  /** Undefined while something is missing that was never there. */
  #valueOf(transformation: Transformation, current: ItemLookup): Result | undefined {
    const { sources } = transformation;
    const read = sources.map((source) => ({ source, ...this.#reader.read(source, current) }));
    const missing = read.find(({ value }) => value === undefined);
    if (missing && !wasDerived(transformation, current)) return undefined;
    const { value, problem } = missing
      ? withoutValue(`nothing stands at ${missing.source.path}`)
      : runTransformation(transformation, byName(read));
    return {
      data: {
        value,
        from: read.flatMap(({ source: { path }, version, value: found }) =>
          found === undefined ? [] : [{ path, version: shownVersion(version) }],
        ),
        problem,
      },
      visibility: read.every(({ visibility }) => visibility === 'record') ? 'record' : 'working',
    };
  }

  #say(transformation: Transformation, { data, visibility }: Result, ground: Ground): Ground {
    const { transformationId, version, destinations } = transformation;
    const of = { transformation: transformationId, transformationVersion: version };
    let at = ground;
    const before = this.#events.length;
    for (const { path } of destinations) {
      const command = this.#command({ path, ...data, ...of }, visibility);
      for (const event of this.#decide(command, at.current)) {
        this.#events.push(event);
        at = at.append(event);
      }
    }
    if (this.#events.length > before)
      this.#seen.push({ happening: { kind: 'derived', transformationId }, visibility });
    return at;
  }

  #command(data: DeriveValue['data'], visibility: Visibility): DeriveValue {
    return { type: 'DeriveValue', data, visibility, author: this.author };
  }

  /** What has changed counts; a later write that has room for it says what this one has not. */
  #decide(command: DeriveValue, current: ItemLookup): readonly NewContextEvent[] {
    const events = decideContext(command, current);
    const bytes = events.reduce(
      (sum, { data }) => sum + Buffer.byteLength(JSON.stringify(data)),
      0,
    );
    if (this.#bytes + bytes <= mostBytes) {
      this.#bytes += bytes;
      return events;
    }
    const left = withoutValue(`more than ${mostBytes} bytes would be derived by one write`);
    return decideContext({ ...command, data: { ...command.data, ...left } }, current);
  }
}

type Read = PlaceValue & Readonly<{ source: Transformation['sources'][number] }>;

type Result = Readonly<{
  data: Pick<EventData<'ValueDerived'>, 'value' | 'from' | 'problem'>;
  visibility: Visibility;
}>;

function byName(read: readonly Read[]): JsonObject {
  return Object.fromEntries(read.map(({ source: { name }, value }) => [name, value ?? null]));
}

function withoutValue(problem: string): Derived {
  return { value: null, problem };
}
