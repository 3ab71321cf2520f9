import { parseTemplate, renderTemplate } from '#context-views';
import { type JsonObject } from '#event-sourcing';
import { type Item, derivedKey, outputValueKey, stepOutputKey } from '#shared-context';
import { placedPath } from '#transformations';

import { namesOfContext, outputsOfSteps, stepsNamed } from './context-names.js';

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
    namesOfContext({ document, current, derived: [] }),
  );
}

describe('the names of a context', () => {
  it.each([
    ['{{context.plan.a}} {{plan.a}}', '1 1'],
    ['{{plan.completed}} {{plan.status}} {{plan.outputs.brief}}', 'true completed short'],
    ['{{#each context}}{{@key}} {{/each}}', 'plan quality '],
    ['{{#each plan}}{{@key}} {{/each}}', 'a outputs '],
    [
      '{{global_context.level}} {{globalContext.level}} {{context.global_context.level}}',
      'low low low',
    ],
    [
      '{{session_id}} {{contextId}} {{document.contextId}} {{context.contextId}}',
      'c-1 c-1 c-1 c-1',
    ],
    ['{{decisions.length}} {{decisions[0].decision}} {{decisionHistory.length}}', '1 new 2'],
    ['{{context.context.plan.a}}', '1'],
  ])('%j becomes %j', (template, text) => {
    expect(rendered(template)).toBe(text);
  });

  it('take values that are derived for a large object into one copy of it', () => {
    let read = 0;
    const large = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`m${at}`, at]));
    const globalContext = new Proxy(large, {
      get: (target, name, receiver) => {
        read += 1;
        return Reflect.get(target, name, receiver);
      },
    });
    const derived = Array.from({ length: 50 }, (_, at) => placedPath(`global_context.d${at}`));
    const values = derived.map(({ path }, at) =>
      item(derivedKey(path), { path, value: at, from: [] }),
    );
    const names = namesOfContext({
      ...{ document: { ...document, globalContext }, derived },
      current: (kind, key) => values.find((each) => each.kind === kind && each.key === key),
    });
    expect(names.get('global_context')?.value).toMatchObject({ m99: 99, d0: 0, d49: 49 });
    expect(read).toBe(100);
  });

  it('are of the document where an agent or a step has one of them, but within "context"', () => {
    expect(rendered('{{tasks[0]}} {{quality}}')).toBe('t {}');
    expect(rendered('{{context.tasks.status}} {{document.tasks[0]}}')).toBe('in_progress t');
    expect(rendered('{{#if context.quality}}{{context.quality.length}}{{/if}}')).toBe('6');
  });
});

describe('outputs of steps alone', () => {
  it('are what is named where nothing else is', () => {
    expect(
      stepsNamed([
        ['context', 'plan', 'a'],
        ['context', 'plan'],
      ]),
    ).toEqual(['plan']);
    expect(stepsNamed([])).toEqual([]);
  });

  it.each([[['context']], [['plan', 'a']], [['context', 'plan', 'outputs', 'x']], [[]]])(
    'are not all of %j',
    (...named) => {
      expect(stepsNamed([['context', 'plan'], ...named])).toBeUndefined();
    },
  );

  it('have names, unless one of them may be something else', () => {
    expect(outputsOfSteps(['plan'], current)?.get('context')).toEqual({
      ...{ value: { plan: 7 }, isOwn: false },
    });
    expect(outputsOfSteps(['plan', 'tasks'], current)).toBeUndefined();
  });
});
