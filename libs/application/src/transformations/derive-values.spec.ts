import fc from 'fast-check';

import { type JsonValue } from '#event-sourcing';
import {
  ContextState,
  type NewContextEvent,
  type RecordedContextEvent,
  derivedFacts,
  foldEvent,
} from '#shared-context';
import { did, recordContextEvent } from '#testing';
import {
  type TransformationDefinition,
  compileTransformation,
  orderTransformations,
  runTransformation,
  transformationLimits,
} from '#transformations';

import { type DerivationInput, ValueDerivation } from './derive-values.js';
import { derivationTriggers } from './derivation-triggers.js';
import { PlaceReader } from './place-reader.js';

type Definition = Partial<TransformationDefinition>;

const scoring: TransformationDefinition = {
  trigger: { agent: 'analyst' },
  sources: { features: 'analyst.outputs.brief.features' },
  operation: { kind: 'score', expression: 'len(features) * 2' },
  destinations: ['project_metadata.complexity_score'],
};
const adaptation: TransformationDefinition = {
  trigger: { transformation: 'scoring' },
  sources: { score: 'project_metadata.complexity_score' },
  operation: {
    kind: 'select',
    by: 'score',
    ranges: [{ upTo: 4, value: 'simplified' }, { value: 'standard' }],
  },
  destinations: ['project_metadata.workflow_type'],
};

/** A context that is written event by event with active transformations. */
class Story {
  state = ContextState.from([]);
  version = 0;
  readonly #set;

  constructor(definitions: Readonly<Record<string, Definition>>) {
    this.#set = orderTransformations(
      Object.entries(definitions).map(([transformationId, definition]) =>
        compileTransformation({ transformationId, version: 1 }, { ...scoring, ...definition }),
      ),
    );
    this.#record(recordContextEvent(did('ContextCreated', { metadata: { team: 'blue' } }), 1));
  }

  /** Records a write of these events, and returns the events derived from it. */
  write(agentId: string, ...events: readonly NewContextEvent[]): readonly NewContextEvent[] {
    const facts = { origin: { agentId, timestamp: null } };
    for (const event of events) this.#record(recordContextEvent(event, this.version + 1, facts));
    const derivation = new ValueDerivation(this.#set, derivationTriggers(events, agentId), agentId);
    const derived = derivation.events(this.#input());
    const declared = new Set(derivation.keys().map(({ kind, key }) => `${kind} ${key}`));
    for (const { kind, key } of derived.flatMap((event) =>
      foldEvent(recordContextEvent(event, 1), this.state.lookup),
    ))
      expect(declared).toContain(`${kind} ${key}`);
    return derived;
  }

  /** The derived value at a path; undefined if none was derived. */
  value(path: string): JsonValue | undefined {
    const body = this.state.get('derived', path)?.body;
    return body === undefined ? undefined : (body as { value: JsonValue }).value;
  }

  /** Expects every derived value to equal the result of its transformation for the current sources. */
  expectAgreement(): void {
    const reader = new PlaceReader(this.#set.places);
    for (const transformation of this.#set.ordered)
      for (const { path } of transformation.destinations) {
        const item = this.state.get('derived', path);
        if (!item) continue;
        const { value, problem } = derivedFacts(item);
        const sources = transformation.sources.map(
          (source) => [source.name, reader.read(source, this.state.lookup).value] as const,
        );
        const missing = sources.some(([, found]) => found === undefined);
        const data = Object.fromEntries(sources.map(([name, found]) => [name, found ?? null]));
        expect([path, value, missing || problem]).toEqual(
          missing
            ? [path, null, true]
            : [
                path,
                runTransformation(transformation, data).value,
                runTransformation(transformation, data).problem,
              ],
        );
      }
  }

  #input(): DerivationInput {
    return {
      current: this.state.lookup,
      room: Infinity,
      append: (event) => {
        this.#record(recordContextEvent(event, this.version + 1));
        return this.#input();
      },
    };
  }

  #record(event: RecordedContextEvent): void {
    this.state = this.state.apply(event);
    this.version = event.version;
  }
}

const brief = (features: JsonValue, visibility: 'record' | 'working' = 'record') =>
  did('StepOutputAdded', { stepId: 'analysis', name: 'brief', output: { features } }, visibility);
const summarize = (events: readonly NewContextEvent[]) =>
  events.map(({ type, data }) =>
    type === 'ValueDerived' ? [data.path, data.value, data.problem] : [type],
  );

describe('values derived from a write', () => {
  it('are derived from one another in one pass, and name their sources', () => {
    const story = new Story({ adaptation, scoring });
    const derived = story.write('analyst', brief(['a', 'b', 'c']));
    expect(summarize(derived)).toEqual([
      ['project_metadata.complexity_score', 6, undefined],
      ['project_metadata.workflow_type', 'standard', undefined],
    ]);
    expect(derived[0]?.data).toMatchObject({
      from: [{ path: 'analyst.outputs.brief.features', version: 2 }],
      transformation: 'scoring',
      transformationVersion: 1,
    });
    expect(derived[1]?.data).toMatchObject({
      from: [{ path: 'project_metadata.complexity_score', version: 3 }],
    });
  });

  it('cause no event while they are unchanged, and neither do values derived from them', () => {
    const story = new Story({ scoring, adaptation });
    story.write('analyst', brief(['a']));
    expect(story.write('analyst', brief(['b']))).toEqual([]);
    expect(summarize(story.write('analyst', brief(['a', 'b'])))).toEqual([
      ['project_metadata.complexity_score', 4, undefined],
    ]);
    expect(summarize(story.write('analyst', brief(['a', 'b', 'c'])))).toHaveLength(2);
  });

  it('wait for the agent that triggers them', () => {
    const sources = { features: 'pm.outputs.brief.features' };
    const story = new Story({ scoring: { sources } });
    expect(story.write('pm', brief(['a']))).toEqual([]);
    const done = did('StepOutputAdded', { stepId: 'x', output: 1 });
    expect(summarize(story.write('analyst', done))).toEqual([
      ['project_metadata.complexity_score', 2, undefined],
    ]);
    expect(summarize(story.write('pm', brief(['a', 'b'])))).toEqual([
      ['project_metadata.complexity_score', 4, undefined],
    ]);
    const early = new Story({ scoring: { sources } });
    expect(early.write('analyst', done)).toEqual([]);
    expect(summarize(early.write('pm', brief(['a'])))).toEqual([
      ['project_metadata.complexity_score', 2, undefined],
    ]);
  });

  it('are derived when the agent that triggers them completes a task', () => {
    const sources = { features: 'global_context.features' };
    const story = new Story({ scoring: { sources } });
    story.write('lead', did('GlobalContextSet', { values: { features: ['a'] } }));
    const completed = did('TaskCompleted', { taskId: 't' });
    expect(story.write('pm', completed)).toEqual([]);
    expect(summarize(story.write('analyst', completed))).toEqual([
      ['project_metadata.complexity_score', 2, undefined],
    ]);
  });

  it('wait for the step that triggers them, and for later sources', () => {
    const story = new Story({
      scoring: {
        trigger: { step: 'kickoff' },
        sources: { features: 'global_context.features' },
      },
    });
    const kickoff = did('StepOutputAdded', { stepId: 'kickoff', output: null });
    const set = (features: JsonValue) => did('GlobalContextSet', { values: { features } });
    expect(story.write('x', set(['a']))).toEqual([]);
    expect(summarize(story.write('x', kickoff))).toEqual([
      ['project_metadata.complexity_score', 2, undefined],
    ]);
    const later = new Story({
      scoring: {
        trigger: { step: 'kickoff' },
        sources: { features: 'global_context.features' },
      },
    });
    expect(later.write('x', kickoff)).toEqual([]);
    expect(summarize(later.write('x', set(['a', 'b'])))).toEqual([
      ['project_metadata.complexity_score', 4, undefined],
    ]);
  });

  it('become null with a problem when a source is removed', () => {
    const story = new Story({ scoring, adaptation });
    story.write('analyst', brief(['a']));
    const removal = did('StepOutputAdded', { stepId: 'analysis', name: 'brief', output: {} });
    expect(summarize(story.write('analyst', removal))).toEqual([
      [
        'project_metadata.complexity_score',
        null,
        'nothing stands at analyst.outputs.brief.features',
      ],
      [
        'project_metadata.workflow_type',
        null,
        'nothing stands at project_metadata.complexity_score',
      ],
    ]);
    expect(story.write('analyst', removal)).toEqual([]);
  });

  it('never refuse the write: a fault becomes the problem of the value', () => {
    const story = new Story({ scoring });
    expect(summarize(story.write('analyst', brief(7)))).toEqual([
      [
        'project_metadata.complexity_score',
        null,
        'at character 1: len is for a text, a list or an object, not for a number',
      ],
    ]);
  });

  it('find a named output after its step has a newer, unnamed output', () => {
    const other = 'other';
    const story = new Story({ scoring: { trigger: { agent: other } } });
    story.write('analyst', brief(['a']));
    const again = did('StepOutputAdded', { stepId: 'analysis', output: 'rewritten' });
    expect(summarize(story.write(other, again))).toEqual([
      ['project_metadata.complexity_score', 2, undefined],
    ]);
  });

  it('are placed at every destination, where they override stated values', () => {
    const story = new Story({
      spread: {
        operation: { kind: 'propagate' },
        destinations: ['architect.inputs.features', 'global_context.plan.features'],
      },
      reader: {
        trigger: { transformation: 'spread' },
        sources: { plan: 'global_context.plan' },
        operation: { kind: 'propagate' },
        destinations: ['project_metadata.plan'],
      },
    });
    story.write('lead', did('GlobalContextSet', { values: { plan: { features: 1, owner: 'x' } } }));
    story.write('analyst', brief(['a']));
    expect(story.value('architect.inputs.features')).toEqual(['a']);
    expect(story.value('project_metadata.plan')).toEqual({ features: ['a'], owner: 'x' });
  });

  it('read metadata, steps and values derived for an agent', () => {
    const story = new Story({
      scoring: { destinations: ['pm.inputs.score'] },
      sum: {
        trigger: { step: 'sum' },
        sources: {
          team: 'project_metadata.team',
          step: 'context.analysis.features',
          score: 'pm.inputs.score',
        },
        operation: { kind: 'score', expression: 'len(team) + len(step) + score' },
        destinations: ['project_metadata.sum'],
      },
    });
    story.write('analyst', brief(['a']));
    story.write('x', did('StepOutputAdded', { stepId: 'sum', output: null }));
    expect(story.value('project_metadata.sum')).toBe(4 + 1 + 2);
  });

  it('from a batch are derived once, from its end', () => {
    const story = new Story({ scoring, adaptation });
    const derived = story.write('analyst', brief(['a', 'b', 'c']), brief(['a']));
    expect(summarize(derived)).toEqual([
      ['project_metadata.complexity_score', 2, undefined],
      ['project_metadata.workflow_type', 'simplified', undefined],
    ]);
  });

  it('are limited in bytes per write', () => {
    const spread = (n: number) => ({
      operation: { kind: 'propagate' } as const,
      destinations: Array.from({ length: 8 }, (_, at) => `p${n}.inputs.d${at}`),
    });
    const story = new Story({ a: spread(1), b: spread(2) });
    const large = brief('x'.repeat(20_000));
    const derived = summarize(story.write('analyst', large));
    expect(derived).toHaveLength(16);
    const left = derived.filter(([, value]) => value === null);
    expect(new Set(left.map(([, , problem]) => problem))).toEqual(
      new Set(['more than 262144 bytes would be derived by one write']),
    );
    expect(left.length).toBe(16 - Math.floor(262_144 / 20_000));
    const later = summarize(story.write('analyst', large));
    expect(later.map(([path]) => path)).toEqual(left.map(([path]) => path));
    expect(later.every(([, value]) => value === 'x'.repeat(20_000))).toBe(true);
    expect(story.write('analyst', large)).toEqual([]);
  });
});

describe('the steps of all derivations of a write', () => {
  const enrichment = (n: number): Definition => ({
    sources: {
      users: 'analyst.outputs.brief.features.users',
      all: 'analyst.outputs.brief.features.all',
    },
    operation: {
      kind: 'enrich',
      each: 'users',
      eachAs: 'user',
      entries: 'all',
      entryKey: 'of',
      entriesAs: 'entries',
    },
    destinations: [`pm.inputs.d${n}`],
  });
  const enrichments = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, enrichment(n)]));
  const features = (entries: number): JsonValue => ({
    users: [],
    all: Array.from({ length: entries }, () => 0),
  });
  /** Two per entry, and one each for two sources, the transformation and the text of the value. */
  const stepsOf = (entries: number) => 2 * entries + 4;

  it('are limited, and a transformation that exceeds them gets a problem instead of a value', () => {
    const { steps } = transformationLimits;
    const entries = Math.floor((steps / 4 - 4) / 2);
    expect(4 * stepsOf(entries)).toBeLessThanOrEqual(steps);
    expect(4 * stepsOf(entries + 2)).toBeGreaterThan(steps);
    const fits = new Story(enrichments(4)).write('analyst', brief(features(entries)));
    expect(summarize(fits).map(([, value]) => value)).toEqual([[], [], [], []]);
    const exceeds = new Story(enrichments(4)).write('analyst', brief(features(entries + 2)));
    expect(summarize(exceeds).map(([, value]) => value)).toEqual([[], [], [], null]);
    expect(summarize(exceeds).at(-1)).toEqual([
      'pm.inputs.d3',
      null,
      `"t3" takes more steps than are left of the ${steps} that all transformations of one write have: let it read less, or write what it reads in smaller parts`,
    ]);
  });

  it('never refuse the write, and are available again for the next one', () => {
    const story = new Story(enrichments(100));
    const large = story.write('analyst', brief(features(10_000)));
    const failed = summarize(large).filter(([, value]) => value === null);
    expect(failed).toHaveLength(100 - Math.floor(transformationLimits.steps / stepsOf(10_000)));
    expect(story.write('analyst', brief(features(10_000)))).toEqual([]);
    const small = summarize(story.write('analyst', brief(features(100))));
    expect(small.map(([path]) => path)).toEqual(failed.map(([path]) => path));
    expect(small.every(([, value]) => Array.isArray(value))).toBe(true);
  });

  it('remain available to other transformations if one needs too many', () => {
    const large = {
      ...enrichment(0),
      trigger: { step: 'large' },
      sources: { users: 'context.large.users', all: 'context.large.all' },
    };
    const small = { trigger: { step: 'large' }, sources: { features: 'context.large.users' } };
    const output = { stepId: 'large', output: features(transformationLimits.steps) };
    const story = new Story({ large, small });
    expect(summarize(story.write('pm', did('StepOutputAdded', output)))).toEqual([
      ['pm.inputs.d0', null, expect.stringContaining('"large" takes more steps')],
      ['project_metadata.complexity_score', 0, undefined],
    ]);
  });

  it('do not include a lookup of each event for each transformation', () => {
    const reads = (events: number, transformations: number) => {
      let read = 0;
      const set = orderTransformations(
        Object.entries(enrichments(transformations)).map(([transformationId, definition]) =>
          compileTransformation({ transformationId, version: 1 }, { ...scoring, ...definition }),
        ),
      );
      const outputs = Array.from({ length: events }, (_, at) =>
        did('StepOutputAdded', { stepId: `s${at}`, output: at }),
      );
      const triggers = derivationTriggers(outputs, 'analyst').map(({ cause, visibility }) => ({
        cause: new Proxy(cause, {
          get: (target, name, receiver) => {
            read += 1;
            return Reflect.get(target, name, receiver);
          },
        }),
        visibility,
      }));
      const derivation = new ValueDerivation(set, triggers, 'analyst');
      derivation.events({
        current: () => undefined,
        room: Infinity,
        append: () => {
          throw new Error('nothing is derived');
        },
      });
      return read;
    };
    const some = reads(100, 10);
    expect([reads(100, 20), reads(200, 10)]).toEqual([some, 2 * some]);
  });

  it('count the members of objects into which derived values are placed', () => {
    const copied = {
      inner: {
        sources: { features: 'analyst.outputs.brief.features' },
        destinations: ['global_context.large.inner'],
      },
      whole: {
        trigger: { transformation: 'inner' },
        sources: { large: 'global_context.large' },
        operation: { kind: 'score', expression: 'large.inner' } as const,
      },
    };
    const set = (members: number) =>
      did('GlobalContextSet', {
        values: {
          large: Object.fromEntries(Array.from({ length: members }, (_, at) => [`m${at}`, at])),
        },
      });
    const value = (members: number) => {
      const story = new Story(copied);
      story.write('lead', set(members));
      story.write('analyst', brief(['a']));
      return story.value('project_metadata.complexity_score');
    };
    const { steps } = transformationLimits;
    expect(value(steps / 2 - 100)).toBe(2);
    expect(value(steps / 2)).toBe(null);
  });
});

describe('values derived from provided values', () => {
  const path = 'analyst.outputs.brief.features';
  const provided = (value: JsonValue, visibility: 'record' | 'working' = 'record') =>
    did('InputProvided', { inputRequestId: 'IN-1', path, value }, visibility);
  const done = did('StepOutputAdded', { stepId: 'x', name: 'brief', output: { title: 't' } });

  it('are derived in the same write once the trigger has happened', () => {
    const story = new Story({ scoring, adaptation });
    expect(story.write('analyst', done)).toEqual([]);
    const derived = story.write('analyst', provided(['a', 'b', 'c']));
    expect(summarize(derived)).toEqual([
      ['project_metadata.complexity_score', 6, undefined],
      ['project_metadata.workflow_type', 'standard', undefined],
    ]);
    expect(derived[0]?.data).toMatchObject({ from: [{ path, version: 3 }] });
    expect(summarize(story.write('analyst', brief(['a'])))).toEqual([
      ['project_metadata.complexity_score', 2, undefined],
      ['project_metadata.workflow_type', 'simplified', undefined],
    ]);
    expect(story.write('analyst', provided(['a', 'b']))).toEqual([]);
  });

  it('are working notes if a provided value is one', () => {
    const story = new Story({ scoring });
    story.write('analyst', done);
    expect(story.write('analyst', provided(['a'], 'working'))).toMatchObject([
      { visibility: 'working' },
    ]);
    expect(story.write('analyst', provided(['a']))).toMatchObject([{ visibility: 'record' }]);
  });

  it('are not derived from a value that has no path', () => {
    const story = new Story({ scoring });
    story.write('analyst', done);
    const inRequest = did('InputProvided', { inputRequestId: 'IN-1', value: ['a'] });
    expect(story.write('analyst', inRequest)).toEqual([]);
  });
});

describe('values derived over any history', () => {
  const definitions = {
    scoring,
    adaptation,
    copy: {
      trigger: { step: 'plan' },
      sources: { all: 'global_context.limits' },
      operation: { kind: 'propagate' as const },
      destinations: ['pm.inputs.limits'],
    },
    sum: {
      trigger: { agent: 'pm' },
      sources: { plan: 'context.plan', limits: 'pm.inputs.limits' },
      operation: { kind: 'score' as const, expression: 'len(plan) + len(limits)' },
      destinations: ['project_metadata.sum'],
    },
  };
  const value = fc.constantFrom<JsonValue>(['a'], ['a', 'b', 'c'], {}, 7, null, 'text');
  const visibility = fc.constantFrom('record' as const, 'working' as const);
  const providedPath = fc.constantFrom(
    'analyst.outputs.brief',
    'analyst.outputs.brief.features',
    'context.plan',
    'global_context.limits',
    'pm.inputs.limits',
    'project_metadata.sum',
  );
  const event = fc.oneof(
    fc.tuple(value, visibility).map(([features, visibility]) => brief(features, visibility)),
    fc
      .tuple(fc.constantFrom('plan', 'other'), value, visibility)
      .map(([stepId, output, visibility]) =>
        did('StepOutputAdded', { stepId, output }, visibility),
      ),
    value.map((limits) => did('GlobalContextSet', { values: { limits } })),
    fc
      .tuple(providedPath, value, visibility)
      .map(([path, provided, visibility]) =>
        did('InputProvided', { inputRequestId: path, path, value: provided }, visibility),
      ),
  );
  const writes = fc.array(
    fc.tuple(fc.constantFrom('analyst', 'pm'), fc.array(event, { minLength: 1, maxLength: 3 })),
    { maxLength: 8 },
  );

  it('always agree with their sources', () => {
    fc.assert(
      fc.property(writes, (history) => {
        const story = new Story(definitions);
        for (const [agentId, events] of history) {
          story.write(agentId, ...events);
          story.expectAgreement();
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('the visibility of a derived value', () => {
  it('is that of its sources', () => {
    const story = new Story({ scoring, adaptation });
    const hidden = story.write('analyst', brief(['a'], 'working'));
    expect(hidden.map(({ visibility }) => visibility)).toEqual(['working', 'working']);
    const shown = story.write('analyst', brief(['b']));
    expect(shown.map(({ visibility }) => visibility)).toEqual(['record', 'record']);
    expect(summarize(shown)).toEqual(summarize(hidden));
  });

  it('is known for an output that more steps have written than its item has sources', () => {
    const story = new Story({ scoring });
    for (let n = 0; n < 80; n++) {
      const features = Array.from({ length: n }, () => 'a');
      const output = { stepId: `s${n}`, name: 'brief', output: { features } };
      const visibility = n === 79 ? 'record' : 'working';
      const derived = story.write('analyst', did('StepOutputAdded', output, visibility));
      expect(derived).toMatchObject([{ visibility }]);
    }
    expect(story.state.get('output-value', '["analyst","brief"]')?.sources).toBeUndefined();
  });

  it('is working if its trigger is working', () => {
    const sources = { features: 'pm.outputs.brief.features' };
    const story = new Story({ scoring: { sources } });
    story.write('pm', brief(['a']));
    const working = did('StepOutputAdded', { stepId: 'x', output: 1 }, 'working');
    expect(story.write('analyst', working)).toMatchObject([{ visibility: 'working' }]);
  });
});
