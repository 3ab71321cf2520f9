import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';

import { type JsonObject, type JsonValue } from '#event-sourcing';

import { compileWorkflow } from '../definition/compile-workflow.js';
import { type CompiledStep, type CompiledWorkflow } from '../definition/compiled-workflow.js';
import { type Region, type Route } from '../definition/compiled-parts.js';
import { type WorkflowFault } from './fault.js';
import { workflowJsonSchema } from '../definition/workflow-json-schema.js';
import { workflowDefinition } from '../definition/workflow.schema.js';
import { readWorkflow } from './validate-workflow.js';

/** A placeholder for a step by number; `withReferences` replaces it by the step's id. */
const reference = fc.nat(9).map((number) => `@${number}`);
/** A target step in the same region, by index. */
const target = fc.nat(4);
const route = fc.oneof(
  { weight: 4, arbitrary: target },
  fc.record(
    { to: target, max_visits: fc.integer({ min: 1, max: 3 }), on_limit: target },
    { requiredKeys: ['to'] },
  ),
);

/** Members of all steps; each reads the result and the outcome of another step. */
const common = {
  when: reference.map((other) => `context.${other}.n == 1 && results.${other}.success`),
  optional: fc.boolean(),
  input: reference,
  on_error: fc.oneof(route, fc.constant('skip')),
  max_visits: fc.integer({ min: 1, max: 3 }),
  on_limit: target,
  next: route,
};

type Members = Readonly<Record<string, fc.Arbitrary<JsonValue>>>;

function stepOf(type: string, required: Members, optional: Members = {}): fc.Arbitrary<JsonObject> {
  const members: Members = { ...common, ...optional, ...required, type: fc.constant(type) };
  return fc.record(members, { requiredKeys: ['type', ...Object.keys(required)] });
}

const { step } = fc.letrec<{ step: JsonObject; children: JsonObject[] }>((tie) => ({
  step: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    stepOf('agent', { agent: fc.constantFrom('ada', 'bob') }),
    stepOf('condition', { condition: fc.constant('true') }, { then: route, else: route }),
    stepOf('approval', {}, { on_approve: route, on_reject: route }),
    stepOf(
      'parallel',
      { steps: tie('children') },
      { failure: fc.constantFrom('continue', 'fail_fast') },
    ),
  ),
  children: fc.array(tie('step'), { minLength: 1, maxLength: 3 }),
}));

/** Steps of all kinds with unique ids, and routes to steps of the same region. */
const definition = fc
  .record(
    {
      steps: fc.array(step, { minLength: 1, maxLength: 5 }),
      parallel: fc.constantFrom(false, false, false, true),
      output: reference.map((each) => `context.${each}`),
    },
    { requiredKeys: ['steps'] },
  )
  .map(({ steps, ...more }) =>
    withReferences({ id: 'w', ...more, steps: withIds(steps, numbered()) }),
  );

function* numbered(): Generator<string> {
  for (let at = 0; ; at++) yield `s${at}`;
}

function withReferences(members: JsonObject): JsonObject {
  const text = JSON.stringify(members);
  const count = new Set(text.match(/"id":"s\d+"/g)).size;
  return JSON.parse(text.replaceAll(/@(\d)/g, (_, number: string) => `s${Number(number) % count}`));
}

function withIds(steps: readonly JsonObject[], names: Iterator<string>): JsonObject[] {
  const own = steps.map(() => String(names.next().value));
  const named = (value: JsonValue, member: string): JsonValue => {
    if (Array.isArray(value)) return withIds(value, names);
    if (typeof value === 'object') return mapMembers(value as JsonObject, named);
    const isTarget = typeof value === 'number' && member !== 'max_visits';
    return isTarget ? (own[value % own.length] ?? '') : value;
  };
  return steps.map((each, at) => ({ id: own[at] ?? '', ...mapMembers(each, named) }));
}

function mapMembers(
  members: JsonObject,
  change: (value: JsonValue, member: string) => JsonValue,
): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, change(value, name)]),
  );
}

/** A definition with any value at some position. */
const mutated = fc
  .record({
    value: definition,
    path: fc.array(fc.nat(20), { maxLength: 6 }),
    replacement: fc.oneof(fc.jsonValue(), fc.constantFrom('__proto__', 'context.', -1, 1e9, '')),
  })
  .map(({ value, path, replacement }) => replaced(value, path, replacement as JsonValue));

function replaced(
  within: JsonValue,
  [at, ...deeper]: readonly number[],
  value: JsonValue,
): JsonValue {
  if (at === undefined || typeof within !== 'object' || within === null) return value;
  const names = Object.keys(within);
  const name = names[at % (names.length + 1)] ?? 'more';
  const inner = (within as JsonObject)[name] ?? null;
  const changed = { ...(within as JsonObject), [name]: replaced(inner, deeper, value) };
  return Array.isArray(within) ? Object.values(changed) : changed;
}

describe('validation', () => {
  it('ends with a result for any value', () => {
    const anything = fc.oneof(
      fc.jsonValue({ maxDepth: 8 }),
      mutated,
      definition,
    ) as fc.Arbitrary<JsonValue>;
    fc.assert(
      fc.property(anything, (value) => {
        // A text would be parsed as JSON.
        const { faults, definition: read } = readWorkflow(
          typeof value === 'string' ? [value] : value,
        );
        const errors = faults.filter(({ severity }) => severity === 'error');
        expect(read === undefined).toBe(errors.length > 0);
        if (read) expect(compileWorkflow(read).id).toBe(read.id);
      }),
      { numRuns: 1_000 },
    );
  });

  it('has the same faults for a definition and for its text, which adds positions', () => {
    fc.assert(
      fc.property(fc.oneof(mutated, definition), fc.constantFrom(0, 2), (value, indent) => {
        fc.pre(typeof value !== 'string');
        const stored: JsonValue = JSON.parse(JSON.stringify(value));
        const ofText = readWorkflow(JSON.stringify(value, null, indent));
        fc.pre(!ofText.faults.some(({ code }) => code === 'inexact-number'));
        const ofValue = readWorkflow(typeof stored === 'string' ? [] : stored);
        expect(ofText.faults.map(unplaced).toSorted()).toEqual(
          ofValue.faults.map(unplaced).toSorted(),
        );
        expect(ofText.faults.filter(({ line, column }) => !(line && column))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('accepts exactly the definitions that the published JSON Schema accepts, before further checks', () => {
    const fits = new Ajv2020({ strict: false }).compile(workflowJsonSchema());
    fc.assert(
      fc.property(fc.oneof(mutated, definition), (value) => {
        const isParsed = workflowDefinition.safeParse(value).success;
        expect([value, fits(value)]).toEqual([value, isParsed]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('reads or rejects any text', () => {
    fc.assert(
      fc.property(definition, fc.nat(), fc.string(), (value, at, insertion) => {
        const text = JSON.stringify(value);
        const offset = at % (text.length + 1);
        const { definition: read } = readWorkflow(
          text.slice(0, offset) + insertion + text.slice(offset),
        );
        if (read) expect(() => compileWorkflow(read)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  it('warns of every result that is absent in a run, and calls none absent that exists', () => {
    const finds = { present: 0, absent: 0 };
    let generated = 0;
    fc.assert(
      fc.property(definition, fc.infiniteStream(fc.nat(99)), (value, choices) => {
        generated++;
        const { faults } = readWorkflow(value);
        if (faults.some(({ code }) => hindering.has(code))) return;
        const walk = new Walk(compileWorkflow(workflowDefinition.parse(value)), faults, choices);
        walk.run();
        expect(walk.surprises).toEqual([]);
        finds.present += walk.finds.present;
        finds.absent += walk.finds.absent;
      }),
      { numRuns: 2_000 },
    );
    expect(Math.min(finds.present, finds.absent) / generated).toBeGreaterThan(0.05);
  });

  it('finds every endless loop', () => {
    let [generated, loops, walked] = [0, 0, 0];
    fc.assert(
      fc.property(definition, fc.infiniteStream(fc.nat(99)), (value, choices) => {
        generated++;
        const { faults } = readWorkflow(value);
        if (faults.some(({ code }) => hindering.has(code))) return;
        if (faults.some(({ code }) => code === 'loop-without-limit')) return void loops++;
        walked++;
        // Five steps with limits of three cannot be visited more often than that.
        const walk = new Walk(
          compileWorkflow(workflowDefinition.parse(value)),
          faults,
          choices,
          2_000,
        );
        walk.run();
        expect(walk.left).toBeGreaterThan(0);
      }),
      { numRuns: 2_000 },
    );
    expect(Math.min(loops, walked) / generated).toBeGreaterThan(0.01);
  });
});

/** Errors that prevent a run from beginning. */
const hindering: ReadonlySet<string> = new Set(['branches-meet', 'unknown-step', 'endless-limit']);

function unplaced({ code, pointer, message }: WorkflowFault): string {
  return `${pointer} ${code} ${message}`;
}

type KnownValues = Readonly<{ results: ReadonlySet<string>; outcomes: ReadonlySet<string> }>;

/** Walks through a workflow at random like a run, and compares existing values with the faults. */
class Walk {
  readonly surprises: string[] = [];
  readonly finds = { present: 0, absent: 0 };

  readonly #visits = new Map<string, number>();

  constructor(
    private readonly workflow: CompiledWorkflow,
    private readonly faults: readonly WorkflowFault[],
    private readonly choices: Iterator<number>,
    /** Remaining visits. */
    public left = 40,
  ) {}

  run(): void {
    this.#region(this.workflow.root, { results: new Set(), outcomes: new Set() });
  }

  /** The known values after a region; `hasFailed` if one of its branches failed. */
  #region({ entries }: Region, known: KnownValues): { after: KnownValues; hasFailed: boolean } {
    const branches = entries.map((entry) => this.#branch(entry, known));
    return {
      after: {
        results: new Set(branches.flatMap(({ after }) => [...after.results])),
        outcomes: new Set(branches.flatMap(({ after }) => [...after.outcomes])),
      },
      hasFailed: branches.some(({ hasFailed }) => hasFailed),
    };
  }

  #branch(entry: string, before: KnownValues): { after: KnownValues; hasFailed: boolean } {
    let known = before;
    let at: string | undefined = entry;
    while (at !== undefined && this.left-- > 0) {
      const step = this.workflow.steps[at];
      if (!step) throw new Error(`there is no step ${at}`);
      const visit = this.#visit(step, known);
      known = visit.known;
      if (visit.hasFailed) return { after: known, hasFailed: true };
      at = visit.route && this.#follow(visit.route);
    }
    return { after: known, hasFailed: at !== undefined };
  }

  #visit(
    step: CompiledStep,
    known: KnownValues,
  ): { known: KnownValues; route?: Route | undefined; hasFailed?: boolean } {
    const visits = (this.#visits.get(step.id) ?? 0) + 1;
    if (step.maxVisits !== undefined && visits > step.maxVisits)
      return step.onLimit === undefined
        ? { known, hasFailed: true }
        : { known, route: { to: step.onLimit, maxVisits: undefined, onLimit: undefined } };
    this.#visits.set(step.id, visits);
    this.#compare(step, known);
    if (step.when && this.#chance(30)) return { known, route: step.bypass };
    return this.#work(step, known);
  }

  #work(
    step: CompiledStep,
    known: KnownValues,
  ): { known: KnownValues; route?: Route | undefined; hasFailed?: boolean } {
    const inner =
      step.type === 'parallel'
        ? this.#region(step.children, known)
        : { after: known, hasFailed: false };
    const outcomes = new Set([...inner.after.outcomes, step.id]);
    const isTolerant =
      step.type === 'parallel' && step.failure.kind === 'continue' && step.onError === undefined;
    if (step.type === 'parallel' ? inner.hasFailed && !isTolerant : this.#chance(30)) {
      const after = { results: inner.after.results, outcomes };
      if (step.onError === undefined) return { known: after, hasFailed: true };
      return { known: after, route: step.onError === 'skip' ? step.next : step.onError };
    }
    const after = { results: new Set([...inner.after.results, step.id]), outcomes };
    return { known: after, ...this.#success(step) };
  }

  #success(step: CompiledStep): { route?: Route | undefined; hasFailed?: boolean } {
    if (step.type === 'condition') return { route: this.#chance(50) ? step.then : step.else };
    if (step.type !== 'approval' || this.#chance(50))
      return { route: step.type === 'approval' ? step.onApprove : step.next };
    return step.onReject ? { route: step.onReject } : { hasFailed: true };
  }

  #follow(route: Route): string | undefined {
    const visits = (this.#visits.get(JSON.stringify(route)) ?? 0) + 1;
    this.#visits.set(JSON.stringify(route), visits);
    return route.maxVisits !== undefined && visits > route.maxVisits ? route.onLimit : route.to;
  }

  #compare(step: CompiledStep, known: KnownValues): void {
    const [reading] =
      /\ba|b|c|d|e\b/.exec(step.when?.source.slice('context.'.length, 9) ?? '') ?? [];
    if (reading !== undefined) {
      this.#expect(step, `context.${reading}`, 'when', known.results.has(reading));
      this.#expect(step, `results.${reading}`, 'when', known.outcomes.has(reading));
    }
    for (const name of step.input) this.#expect(step, name, 'input', known.results.has(name));
  }

  #expect(step: CompiledStep, text: string, member: string, exists: boolean): void {
    const fault = this.faults.find(
      ({ pointer, message }) =>
        pointer.endsWith(`/${member}`) &&
        message.startsWith(`${text} `) &&
        message.includes(` when ${step.id} runs`),
    );
    this.finds[exists ? 'present' : 'absent']++;
    if (!exists && fault === undefined) this.surprises.push(`${step.id} misses ${text}`);
    if (exists && fault?.code.includes('never')) this.surprises.push(`${step.id} has ${text}`);
  }

  #chance(percent: number): boolean {
    return this.choices.next().value < percent;
  }
}
