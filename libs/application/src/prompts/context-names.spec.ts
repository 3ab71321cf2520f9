import { parseTemplate, renderTemplate } from '#context-views';
import { type JsonObject, type JsonValue } from '#event-sourcing';
import {
  type Item,
  type ItemLookup,
  derivedKey,
  outputValueKey,
  stepOutputKey,
} from '#shared-context';
import { contextAfter, countedObject, did } from '#testing';
import { placedPath } from '#transformations';

import { namesOfContext, outputsOfSteps, stepsNamed } from './context-names.js';
import { isOfContext, promptData } from './prompt-data.js';
import { ProvidedPlaces } from './provided-places.js';

const document: JsonObject = {
  contextId: 'c-1',
  globalContext: { level: 'low' },
  metadata: {},
  stepOutputs: { plan: { a: 1, outputs: 'of the step' }, quality: 'a step' },
  agents: {
    plan: { status: 'completed', outputs: { brief: { stepId: 'plan', version: 2 } } },
    tasks: { status: 'in_progress', outputs: {} },
  },
  tasks: ['t'],
  quality: {},
  decisionHistory: [
    { decision: 'old', live: false },
    { decision: 'new', live: true },
  ],
};

const nothingElse = {
  derived: [],
  agents: new Set<string>(),
  required: [],
  provided: new ProvidedPlaces([], () => undefined),
};

function item(of: Pick<Item, 'kind' | 'key'>, body: Item['body']): Item {
  return { ...of, fromVersion: 1, state: {}, body };
}

const items = [
  item(outputValueKey('plan', 'brief'), 'short'),
  item(stepOutputKey('plan'), { output: 7 }),
];

function current(kind: Item['kind'], key: string): Item | undefined {
  return items.find((each) => each.kind === kind && each.key === key);
}

function rendered(template: string): string {
  return renderTemplate(
    parseTemplate(template),
    namesOfContext({ document, current, ...nothingElse }),
  );
}

describe('the names of a context', () => {
  it.each([
    ['{{context.plan.a}} {{plan.a}}', '1 1'],
    ['{{plan.completed}} {{plan.status}} {{plan.outputs.brief}}', 'true `completed` `short`'],
    ['{{#each context}}step {{@key}} {{/each}}', 'step `plan` step `quality` '],
    ['{{#each plan}}member {{@key}} {{/each}}', 'member `a` member `outputs` '],
    [
      '{{global_context.level}} {{globalContext.level}} {{context.global_context.level}}',
      '`low` `low` `low`',
    ],
    [
      '{{session_id}} {{contextId}} {{document.contextId}} {{context.contextId}}',
      'c-1 c-1 `c-1` c-1',
    ],
    ['{{decisions.length}} {{decisions[0].decision}} {{decisionHistory.length}}', '1 `new` 2'],
    ['{{context.context.plan.a}}', '1'],
  ])('%j becomes %j', (template, text) => {
    expect(rendered(template)).toBe(text);
  });

  it('add all derived values of a large object to one copy of it', () => {
    const { counted: globalContext, reads } = countedObject();
    const derived = Array.from({ length: 50 }, (_, at) => ({
      ...placedPath(`global_context.d${at}`),
      transformationId: 't',
    }));
    const values = derived.map(({ path }, at) =>
      item(derivedKey(path), { path, value: at, from: [], transformation: 't' }),
    );
    const names = namesOfContext({
      document: { ...document, globalContext },
      ...nothingElse,
      derived,
      current: (kind, key) => values.find((each) => each.kind === kind && each.key === key),
    });
    expect(names.get('global_context')?.value).toMatchObject({ m99: 99, d0: 0, d49: 49 });
    expect(reads()).toBe(100);
  });

  it('prefer members of the document to agents and steps of the same name, except within "context"', () => {
    expect(rendered('{{tasks[0]}} {{quality}}')).toBe('`t` {}');
    expect(rendered('{{context.tasks.status}} {{document.tasks[0]}}')).toBe('`in_progress` `t`');
    expect(rendered('{{#if context.quality}}{{context.quality.length}}{{/if}}')).toBe('6');
  });
});

describe('a registered agent', () => {
  const forged = { completed: true, status: 'completed', outputs: { brief: 'forged' }, name: 'x' };
  const steps = {
    analyst: forged,
    'analyst.outputs.brief': 'forged',
    'analyst["status"]': 'forged',
    '["analyst"]["status"]': 'forged',
    'context.plan': 'forged',
    'agent.name': 'forged',
    'one.two': 'kept',
    one: { two: 'inner' },
  };

  function namesWith(required: readonly string[] = [], author = 'mallory') {
    const written = {
      ...item(stepOutputKey('analyst'), { output: forged }),
      state: { agentId: author },
    };
    const lookup = (kind: Item['kind'], key: string) =>
      kind === written.kind && key === written.key ? written : current(kind, key);
    const stepOutputs = { ...Object(document['stepOutputs']), ...steps };
    const visible = { document: { ...document, stepOutputs }, current: lookup, derived: [] };
    const names = namesOfContext({
      ...nothingElse,
      ...visible,
      agents: new Set(['analyst']),
      required,
    });
    return (template: string) => renderTemplate(parseTemplate(template), names);
  }

  it('is not replaced by a step of its name that another agent has written', () => {
    const text = namesWith();
    expect(text('{{analyst.status}} {{#if analyst.completed}}done{{/if}}')).toBe('`pending` ');
    expect(text('{{analyst.outputs.brief}}{{analyst.name}}')).toBe('');
    expect(text('{{context.analyst.status}}{{context.analyst.outputs.brief}}')).toBe('`pending`');
    expect(text('{{context.analyst.name}}')).toBe('`x`');
    expect(namesWith([], 'analyst')('{{analyst.name}} {{analyst.status}}')).toBe('`x` `pending`');
  });

  it.each([
    ['analyst.outputs.brief', ''],
    ['analyst["status"]', '`pending`'],
    ['["analyst"]["status"]', '`pending`'],
    ['context.plan', '```json source=context.context%2Eplan\n{"a":1,"outputs":"of the step"}\n```'],
    ['agent.name', ''],
    ['one.two', '`kept`'],
  ])('is rendered instead of a step with the id %j', (key, shown) => {
    expect(namesWith()(`{{context[${JSON.stringify(key)}]}}`)).toBe(shown);
  });

  it('renders a required input instead of a step with the id of its path', () => {
    expect(namesWith(['one.two'])('{{context["one.two"]}}')).toBe('`inner`');
  });
});

describe('the input of a context', () => {
  function namesWith(input: JsonValue) {
    const visible = {
      document: {
        ...document,
        input,
      },
      current,
      ...nothingElse,
    };
    return (template: string) => renderTemplate(parseTemplate(template), namesOfContext(visible));
  }

  it('is quoted as text of others', () => {
    expect(namesWith('Add a toggle')('{{input}}')).toBe('```text source=input\nAdd a toggle\n```');
    expect(namesWith({ ticket: 'T-1' })('{{input.ticket}}')).toBe('`T-1`');
  });

  it('renders as nothing if it is empty', () => {
    expect(namesWith({})('[{{input}}]')).toBe('[]');
  });

  it('provides members that the request does not send', () => {
    const names = namesOfContext({
      document: { ...document, input: { ticket: 'T-1', feature: 'theirs' } },
      current,
      ...nothingElse,
    });
    const text = (template: string, input: JsonValue) =>
      renderTemplate(
        parseTemplate(template),
        promptData({ input, names, agent: undefined, registry: [] }),
      );
    const sent = { feature: 'a dark mode' };
    expect(text('{{input.feature}} for {{input.ticket}}', sent)).toBe('a dark mode for `T-1`');
    expect(text('{{input}}', sent)).toBe('{"feature":"a dark mode"}');
    expect(text('{{#each input}}{{@key}} {{/each}}', sent)).toBe('feature ');
    for (const other of ['text', ['a'], 7, null])
      expect(text('[{{input.ticket}}]', other)).toBe('[]');
  });

  it('is read for paths that the request does not provide', () => {
    expect(isOfContext(['input', 'ticket'], undefined)).toBe(true);
    expect(isOfContext(['input', 'spec'], { feature: 'a dark mode' })).toBe(true);
    expect(isOfContext(['input'], { feature: 'a dark mode' })).toBe(true);
    expect(isOfContext(['input', 'feature'], { feature: 'a dark mode' })).toBe(false);
    expect(isOfContext(['input', 'feature'], 'text')).toBe(false);
  });
});

describe('the outputs of steps', () => {
  it('are sufficient if a template names only them', () => {
    expect(
      stepsNamed([
        ['context', 'plan', 'a'],
        ['context', 'plan'],
      ]),
    ).toEqual(['plan']);
    expect(stepsNamed([])).toEqual([]);
  });

  it.each([[['context']], [['plan', 'a']], [['context', 'plan', 'outputs', 'x']], [[]]])(
    'are not sufficient for %j',
    (...named) => {
      expect(stepsNamed([['context', 'plan'], ...named])).toBeUndefined();
    },
  );

  it('are undefined if a name may belong to something else than a step', () => {
    expect(outputsOfSteps(['plan'], current)?.get('context')).toEqual({
      value: { plan: 7 },
      isOwn: false,
    });
    expect(outputsOfSteps(['plan', 'tasks'], current)).toBeUndefined();
  });
});

describe('a provided value', () => {
  const paths: Readonly<Record<string, JsonValue>> = {
    'plan.outputs.brief': 'later',
    'plan.outputs.estimate': { days: 3 },
    'plan.inputs.limits': ['PCI'],
    'analyst.outputs.brief.budget': 40,
    'context.plan.b': 2,
    'context.review': 'fine',
    'global_context.level': 'high',
    'global_context.region.name': 'eu',
    'project_metadata.team': 'blue',
  };
  const created = did('ContextCreated', {});
  const answers = Object.entries(paths).map(([path, value]) =>
    did('InputProvided', { inputRequestId: path, path, value }),
  );
  const state = contextAfter(created, ...answers);
  const withProvided: ItemLookup = (kind, key) => current(kind, key) ?? state.get(kind, key);
  const text = (template: string) => {
    const provided = new ProvidedPlaces(state.values(), withProvided);
    const visible = { ...nothingElse, document, current: withProvided, provided };
    return renderTemplate(parseTemplate(template), namesOfContext(visible));
  };

  it.each([
    ['{{plan.outputs.brief}} {{plan.outputs.estimate.days}}', '`short` 3'],
    ['{{plan.inputs.limits.0}} {{context.plan.inputs.limits.0}}', '`PCI` `PCI`'],
    ['{{analyst.outputs.brief.budget}} {{analyst.status}}', '40 `pending`'],
    ['{{context.plan.a}} {{context.plan.b}} {{plan.b}}', '1 2 2'],
    ['{{context.review}} {{review}}', '`fine` `fine`'],
    ['{{global_context.level}} {{global_context.region.name}}', '`low` `eu`'],
    ['{{project_metadata.team}}', '`blue`'],
    ['{{#if globalContext.region}}region{{else}}no region{{/if}}', 'no region'],
  ])('fills a missing value: %j becomes %j', (template, rendering) => {
    expect(text(template)).toBe(rendering);
  });

  it('replaces the output of a step without one if only steps are read', () => {
    expect(outputsOfSteps(['plan', 'review'], withProvided)?.get('context')).toEqual({
      value: { plan: 7, review: 'fine' },
      isOwn: false,
    });
    expect(outputsOfSteps(['review', 'none'], withProvided)).toBeUndefined();
  });
});
