import { type JsonObject } from '#event-sourcing';
import {
  type DeriveValue,
  type EventData,
  type ItemKey,
  type ItemLookup,
  type NewContextEvent,
  type Visibility,
  completionOf,
  contextDecider,
  derivedKey,
  shownVersion,
} from '#shared-context';
import {
  type TransformationResult,
  type DerivationCause,
  DerivationCauses,
  StepBudget,
  StepsExceededError,
  type Transformation,
  type TransformationSet,
  runTransformation,
  transformationLimits,
} from '#transformations';

import { PlaceReader, type PlaceValue } from './place-reader.js';
import { hasHappened, triggerKeys, wasDerived } from './trigger.js';

/** Limit of UTF-8 bytes that one write derives, so that derived values leave room for the write itself. */
const maxBytes = 262_144;

/** A possible trigger in a write, and its visibility. */
export type VisibleTrigger = Readonly<{ cause: DerivationCause; visibility: Visibility }>;

/**
 * The context after the events that a write has decided so far. `append` returns the context after one more event. `room`: the
 * bytes that the append of the write has left; negative if the append would be refused.
 */
export type DerivationInput = Readonly<{
  current: ItemLookup;
  room: number;
  append: (event: NewContextEvent) => DerivationInput;
}>;

/** Derives values after a write, in one pass: every transformation comes after its dependencies. */
export class ValueDerivation {
  readonly #reached: readonly Transformation[];
  readonly #reader: PlaceReader;
  readonly #happened: DerivationCauses;
  readonly #budget = new StepBudget();
  readonly #events: NewContextEvent[] = [];
  #bytes = 0;

  constructor(
    private readonly set: TransformationSet,
    triggers: readonly VisibleTrigger[],
    /** The author of the write. */
    private readonly author: string,
  ) {
    this.#happened = new DerivationCauses(
      triggers.map(({ cause, visibility }) => [cause, visibility === 'record']),
    );
    this.#reached = set.affectedBy(this.#happened);
    this.#reader = new PlaceReader(set.places);
  }

  /** The number of steps that {@link events} has taken. */
  get steps(): number {
    return this.#budget.spent;
  }

  /** Whether the write triggers no transformation. */
  get isIdle(): boolean {
    return this.#reached.length === 0;
  }

  /** The keys of all items that {@link events} reads. */
  keys(): readonly ItemKey[] {
    const sources = this.#reached.flatMap((each) => each.sources);
    const distinct = new Map(sources.map((source) => [source.path, source])).values();
    return [
      ...[...distinct].flatMap((source) => this.#reader.keys(source)),
      ...this.#reached.flatMap((each) => each.destinations.map(({ path }) => derivedKey(path))),
      ...this.#reached.flatMap((each) => triggerKeys(each, this.set)),
      completionOf(this.author),
    ];
  }

  events(input: DerivationInput): readonly NewContextEvent[] {
    let at = input;
    for (const transformation of this.#reached) at = this.#derive(transformation, at);
    return this.#events;
  }

  #derive(transformation: Transformation, input: DerivationInput): DerivationInput {
    const { current } = input;
    const concern = this.set.relevanceOf(this.#happened, transformation);
    const isDue = concern && (concern.isTrigger || hasHappened(transformation, this.set, current));
    const derived = isDue ? this.#valueOrProblem(transformation, current) : undefined;
    if (!derived) return input;
    return this.#addEvents(
      transformation,
      concern?.onRecord ? derived : { ...derived, visibility: 'working' },
      input,
    );
  }

  /** The result is `working` if the sources take too many steps to read, because they may contain working notes. */
  #valueOrProblem(transformation: Transformation, current: ItemLookup): DerivedResult | undefined {
    try {
      return this.#valueOf(transformation, current);
    } catch (error) {
      if (!(error instanceof StepsExceededError)) throw error;
      const data = { ...withoutValue(tooManySteps(transformation)), from: [] };
      return { data, visibility: 'working' };
    }
  }

  /** Undefined if a source is missing and the transformation has never derived a value. */
  #valueOf(transformation: Transformation, current: ItemLookup): DerivedResult | undefined {
    const read = transformation.sources.map((source) => ({
      ...this.#reader.read(source, current, this.#budget.spend),
      source,
    }));
    const missing = read.find(({ value }) => value === undefined);
    if (missing && !wasDerived(transformation, current)) return undefined;
    const { value, problem } = missing
      ? // prose-ignore: the text is stored in events
        withoutValue(`nothing stands at ${missing.source.path}`)
      : runTransformation(transformation, byName(read), this.#budget);
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

  #addEvents(
    transformation: Transformation,
    { data, visibility }: DerivedResult,
    input: DerivationInput,
  ): DerivationInput {
    const { transformationId, version, destinations } = transformation;
    const of = { transformation: transformationId, transformationVersion: version };
    let at = input;
    const before = this.#events.length;
    for (const { path } of destinations)
      at = this.#put(this.#command({ path, ...data, ...of }, visibility), at);
    if (this.#events.length > before)
      this.#happened.add({ kind: 'derived', transformationId }, visibility === 'record');
    return at;
  }

  #command(data: DeriveValue['data'], visibility: Visibility): DeriveValue {
    return { type: 'DeriveValue', data, visibility, author: this.author };
  }

  /**
   * Adds the event of a changed value. If the value exceeds `maxBytes`, the event states a problem instead; a later write with
   * enough room derives the value. If the append has no room even for that, the event is omitted: derived values never cause a
   * write to be refused.
   */
  #put(command: DeriveValue, input: DerivationInput): DerivationInput {
    const events = contextDecider.decide(command, { lookup: input.current });
    const bytes = this.#bytes + bytesOf(events);
    const next = bytes <= maxBytes ? this.#append(events, input) : undefined;
    if (next) {
      this.#bytes = bytes;
      return next;
    }
    const tooLarge = withoutValue(`more than ${maxBytes} bytes would be derived by one write`);
    const shorter = { ...command, data: { ...command.data, ...tooLarge } };
    return this.#append(contextDecider.decide(shorter, { lookup: input.current }), input) ?? input;
  }

  /** Undefined if the append has no room for the events. */
  #append(events: readonly NewContextEvent[], input: DerivationInput): DerivationInput | undefined {
    const next = events.reduce((at, event) => at.append(event), input);
    if (next.room < 0) return undefined;
    for (const event of events) this.#events.push(event);
    return next;
  }
}

type SourceValue = PlaceValue & Readonly<{ source: Transformation['sources'][number] }>;

type DerivedResult = Readonly<{
  data: Pick<EventData<'ValueDerived'>, 'value' | 'from' | 'problem'>;
  visibility: Visibility;
}>;

function bytesOf(events: readonly NewContextEvent[]): number {
  return events.reduce((sum, { data }) => sum + Buffer.byteLength(JSON.stringify(data)), 0);
}

function byName(read: readonly SourceValue[]): JsonObject {
  return Object.fromEntries(read.map(({ source: { name }, value }) => [name, value ?? null]));
}

function tooManySteps({ transformationId }: Transformation): string {
  return `"${transformationId}" takes more steps than are left of the ${transformationLimits.steps} that all transformations of one write have: let it read less, or write what it reads in smaller parts`;
}

function withoutValue(problem: string): TransformationResult {
  return { value: null, problem };
}
