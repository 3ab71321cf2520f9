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

/** UTF-8 bytes of all that one write derives: more would crowd out what the write itself says. */
const maxBytes = 262_144;

/** A happening in a write, and who may see it. */
export type VisibleHappening = Readonly<{ happening: DerivationCause; visibility: Visibility }>;

/**
 * The context a write has decided on so far; appending an event to it makes the next. `room`: bytes that the append of the
 * write has left, less than none if it would be refused.
 */
export type DerivationInput = Readonly<{
  current: ItemLookup;
  room: number;
  append: (event: NewContextEvent) => DerivationInput;
}>;

/** Derives what follows from a write: in one pass, since transformations stand behind those they rest on. */
export class ValueDerivation {
  readonly #reached: readonly Transformation[];
  readonly #reader: PlaceReader;
  readonly #happened: DerivationCauses;
  readonly #budget = new StepBudget();
  readonly #events: NewContextEvent[] = [];
  #bytes = 0;

  constructor(
    private readonly set: TransformationSet,
    seen: readonly VisibleHappening[],
    /** Whose write it is. */
    private readonly author: string,
  ) {
    this.#happened = new DerivationCauses(
      seen.map(({ happening, visibility }) => [happening, visibility === 'record']),
    );
    this.#reached = set.affectedBy(this.#happened);
    this.#reader = new PlaceReader(set.places);
  }

  /** Steps that {@link events} has taken. */
  get steps(): number {
    return this.#budget.spent;
  }

  /** Whether nothing can follow. */
  get isIdle(): boolean {
    return this.#reached.length === 0;
  }

  /** Every item that {@link events} looks at. */
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
    return this.#say(
      transformation,
      concern?.onRecord ? derived : { ...derived, visibility: 'working' },
      input,
    );
  }

  /** Sources that were too much to be read may be working notes. */
  #valueOrProblem(transformation: Transformation, current: ItemLookup): Result | undefined {
    try {
      return this.#valueOf(transformation, current);
    } catch (error) {
      if (!(error instanceof StepsExceededError)) throw error;
      const data = { ...withoutValue(tooManySteps(transformation)), from: [] };
      return { data, visibility: 'working' };
    }
  }

  /** Undefined while something is missing that was never there. */
  #valueOf(transformation: Transformation, current: ItemLookup): Result | undefined {
    const read = transformation.sources.map((source) => ({
      ...this.#reader.read(source, current, this.#budget.spend),
      source,
    }));
    const missing = read.find(({ value }) => value === undefined);
    if (missing && !wasDerived(transformation, current)) return undefined;
    const { value, problem } = missing
      ? withoutValue(`nothing stands at ${missing.source.path}`)
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

  #say(
    transformation: Transformation,
    { data, visibility }: Result,
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
   * What has changed counts; a later write that has room for it says what this one has not. What the append has no room
   * for even without a value is left out: no write is refused because of what follows from it.
   */
  #put(command: DeriveValue, input: DerivationInput): DerivationInput {
    const events = contextDecider.decide(command, { lookup: input.current });
    const bytes = this.#bytes + bytesOf(events);
    const next = bytes <= maxBytes ? this.#append(events, input) : undefined;
    if (next) {
      this.#bytes = bytes;
      return next;
    }
    const left = withoutValue(`more than ${maxBytes} bytes would be derived by one write`);
    const shorter = { ...command, data: { ...command.data, ...left } };
    return this.#append(contextDecider.decide(shorter, { lookup: input.current }), input) ?? input;
  }

  /** Undefined if the append has no room for them. */
  #append(events: readonly NewContextEvent[], input: DerivationInput): DerivationInput | undefined {
    const next = events.reduce((at, event) => at.append(event), input);
    if (next.room < 0) return undefined;
    for (const event of events) this.#events.push(event);
    return next;
  }
}

type Read = PlaceValue & Readonly<{ source: Transformation['sources'][number] }>;

type Result = Readonly<{
  data: Pick<EventData<'ValueDerived'>, 'value' | 'from' | 'problem'>;
  visibility: Visibility;
}>;

function bytesOf(events: readonly NewContextEvent[]): number {
  return events.reduce((sum, { data }) => sum + Buffer.byteLength(JSON.stringify(data)), 0);
}

function byName(read: readonly Read[]): JsonObject {
  return Object.fromEntries(read.map(({ source: { name }, value }) => [name, value ?? null]));
}

function tooManySteps({ transformationId }: Transformation): string {
  return `"${transformationId}" takes more steps than are left of the ${transformationLimits.steps} that all transformations of one write have: let it read less, or write what it reads in smaller parts`;
}

function withoutValue(problem: string): TransformationResult {
  return { value: null, problem };
}
