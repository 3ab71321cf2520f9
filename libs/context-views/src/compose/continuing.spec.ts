import { type JsonValue } from '#event-sourcing';
import { type Item } from '#shared-context';

import { viewSource } from '../sources/view-source.js';
import { tokenizerOf } from '../tokens/tokenizer.js';
import { type View, renderView } from '../view.js';

const tokenizer = tokenizerOf('o200k_base');
const words = [
  'the',
  'parser',
  'reads',
  'each',
  'row',
  'and',
  'reports',
  'what',
  'it',
  'skips',
  'before',
  'users',
  'ask',
  'again',
  'whether',
  'their',
  'files',
  'were',
  'imported',
  'at',
  'night',
];
/** Sentences of twelve words that differ for each seed, then a path and a number. */
function prose(seed: number, count: number): string {
  const wordAt = (at: number) => words[(seed * 5 + at * (1 + (seed % 7)) + at * at) % words.length];
  const sentences = Array.from({ length: Math.ceil(count / 12) }, (_, sentence) =>
    Array.from({ length: 12 }, (__, at) => wordAt(sentence * 12 + at)).join(' '),
  );
  return `${sentences.join('. ')}. See src/part-${seed}.ts, ${seed * 3} tests passed.`;
}

function output(at: number, value: JsonValue, agentId = 'developer'): Item {
  const body = { stepId: `s${at}`, output: value };
  return { kind: 'step-output', key: `s${at}`, fromVersion: at + 2, state: { agentId }, body };
}

function render(items: readonly Item[], maxTokens: number): View {
  const source = viewSource({ contextId: 'c', items });
  const view = renderView(source, undefined, {
    maxTokens,
    tokenizer,
    newest: 3,
    overflow: 'refuse',
  });
  if ('minimumTokens' in view) throw new Error(`too small: ${view.minimumTokens}`);
  return view;
}

function record(at: number, title: string, body: string): Item {
  return {
    kind: 'record',
    key: `r${at}`,
    fromVersion: at + 2,
    state: { agentId: 'architect' },
    body: { recordId: `r${at}`, kind: 'custom', title, body },
  };
}

const steps = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => output(from + at, prose(from + at, 60)));

describe('a view for an agent that continues the work', () => {
  const task = 'Please import the ledger of March, but nothing that was imported before.';

  it.each([1_000, 2_000, 8_000])(
    'shows within %i tokens the first message of a person, even before many steps',
    (maxTokens) => {
      const request = output(0, { role: 'user', content: task });
      for (const count of [20, 150])
        expect(render([request, ...steps(count, 1)], maxTokens).text).toContain(task);
    },
  );

  it('shows the first output if no person wrote anything, and prefers the input to both', () => {
    const plan = output(0, 'Plan: import the ledger.');
    expect(render([plan, ...steps(200, 1)], 2_000).text).toContain('Plan: import the ledger.');
    const creation: Item = {
      kind: 'creation',
      key: 'c',
      fromVersion: 1,
      state: { createdBy: 'ada' },
      body: { input: { goal: 'Close the books.' } },
    };
    expect(render([creation, plan, ...steps(200, 1)], 2_000).text).toContain('Close the books.');
  });

  it('shows the first record that is long enough if there are no outputs', () => {
    const status = record(0, 'Status', 'Ready');
    const story = record(1, 'Story', `As an accountant, I want to import ledgers. ${prose(1, 24)}`);
    const rest = Array.from({ length: 60 }, (_, at) => record(at + 2, `Note ${at}`, prose(at, 40)));
    const [first, second] = render([status, story, ...rest], 1_000).items;
    expect([first, second]).toContainEqual(
      expect.objectContaining({ ref: 'record:r1', form: 'whole' }),
    );
  });

  it('begins with the entry that states the task even if the newest outputs are rolled up', () => {
    const request = output(0, { role: 'user', content: task });
    for (let count = 8; count < 40; count += 3) {
      const { items } = render([request, ...steps(count, 1)], 400);
      const [first] = items.filter(({ ref }) => ref !== 'context');
      expect(first?.ref).toBe('step-output:s0');
    }
  });

  it('shows outcomes and open points of the newest shortened entries, even if they have many facts', () => {
    const review = (at: number) =>
      record(
        at,
        `Review ${at}`,
        [
          ...Array.from({ length: 30 }, (_, line) => `- read src/part-${at}/file-${line}.ts`),
          `Gate: CONCERNS for part ${at}`,
          '## Open questions',
          `- Who owns part ${at}?`,
        ].join('\n'),
      );
    const reviews = Array.from({ length: 12 }, (_, at) => review(at));
    const { text } = render(reviews, 2_000);
    for (let at = 1; at < 11; at++)
      expect(text.match(new RegExp(`CONCERNS for part ${at}\\b`, 'g'))).toHaveLength(1);
    for (let at = 8; at < 11; at++) expect(text).toContain(`Who owns part ${at}?`);
    for (let at = 0; at < 12; at++) expect(text).toContain(`Gate: CONCERNS for part ${at}`);
  });

  it('shows the result of each older entry even if many newer entries have no results', () => {
    const tests = (at: number, result: string) =>
      record(
        at,
        `Run ${at}`,
        `${prose(at, 60)}\nRegression tests of the importer of ledgers: ${result} in part ${at}`,
      );
    const items = [
      ...Array.from({ length: 6 }, (_, at) => tests(at, 'FAILED')),
      ...Array.from({ length: 10 }, (_, at) => record(at + 6, `Note ${at}`, prose(at, 60))),
      tests(16, 'PASSED'),
    ];
    const { text } = render(items, 1_800);
    for (let at = 2; at < 6; at++) expect(text).toContain(`FAILED in part ${at}`);
  });

  it('uses its budget even if it shows the results of all shortened entries', () => {
    const boxes = words.map((word) => `- [ ] look through the ${word}`);
    const lines = words.flatMap((first) =>
      words.slice(0, 12).map((second) => `${first} ${second} of what was read before it ended`),
    );
    const { tokens } = render([output(0, [...boxes, ...lines].join('\n'))], 2_500);
    expect(tokens).toBeGreaterThan(2_250);
  });

  it('still begins with the first record after outputs were added', () => {
    const story = record(0, 'Story', `As an accountant, I want to import ledgers. ${prose(1, 40)}`);
    const notes = Array.from({ length: 9 }, (_, at) => record(at + 1, `Note ${at}`, prose(at, 40)));
    for (const count of [0, 1, 4, 8, 30]) {
      const { items } = render([story, ...notes, ...steps(count, 10)], 900);
      const [first] = items.filter(({ ref }) => ref !== 'context');
      expect(first?.ref).toBe('record:r0');
    }
  });

  it('shows a constraint whole, also on an unrelated subject', () => {
    const constraint: Item = {
      kind: 'requirement',
      key: 'q0',
      fromVersion: 2,
      state: { agentId: 'architect' },
      body: { requirementId: 'q0', kind: 'constraint', text: `${prose(2, 260)} And no other.` },
    };
    const rest = Array.from({ length: 60 }, (_, at) => record(at + 1, `Note ${at}`, prose(at, 60)));
    expect(render([constraint, ...rest], 2_000).text).toContain('And no other.');
  });

  it('gives a long task a part of the budget and no more', () => {
    const request = output(0, { role: 'user', content: prose(3, 4_000) }, 'user');
    const [first] = render([request, ...steps(200, 1)], 2_000).items;
    expect(first).toMatchObject({ ref: 'step-output:s0', form: 'digest' });
    expect(first?.tokens).toBeGreaterThan(100);
    expect(first?.tokens).toBeLessThanOrEqual(400);
  });

  it('shows the message of a person even if outputs next to it are rolled up', () => {
    const said = output(30, 'Leave out the accounts of the branch in Lyon.', 'user');
    const items = [...steps(30), said, ...steps(120, 31)];
    const { text, items: shown } = render(items, 2_000);
    expect(text).toContain('branch in Lyon');
    const refs = shown.map(({ ref }) => ref);
    expect(refs).toContain('step-output:s30');
    expect(refs).not.toContain('step-output:s29');
  });

  it.each([1_000, 2_000, 8_000])(
    'uses at least 95 of 100 of %i tokens if it shortens anything',
    (maxTokens) => {
      for (const count of [40, 45, 150]) {
        const { tokens, items } = render(steps(count), maxTokens);
        const isWhole = items.every(({ form }) => form === 'whole');
        expect(tokens).toBeLessThanOrEqual(maxTokens);
        if (!isWhole) expect(tokens / maxTokens).toBeGreaterThanOrEqual(0.95);
      }
    },
  );

  it('fills the remaining budget with lines and facts that it does not show yet', () => {
    const long = output(0, Array.from({ length: 120 }, (_, at) => `- ${prose(at, 12)}`).join('\n'));
    const { text } = render([long, ...steps(6, 1)], 1_500);
    const lines = text.split('\n').filter((line) => line.startsWith('- ') && line.length > 40);
    expect(new Set(lines).size).toBe(lines.length);
    expect(text).toContain('- more of `step-output:s0`:');
  });

  it('does not let one long output displace all others', () => {
    const huge = output(40, prose(40, 6_000));
    const { text, items } = render([...steps(40), huge], 2_000);
    expect(items.find(({ ref }) => ref === 'step-output:s40')?.form).toBe('digest');
    expect(text).toContain('src/part-39.ts');
  });

  it.each([
    [2_000, 0.55],
    [8_000, 0.7],
  ])('begins within %i tokens mostly like the previous view', (maxTokens, minimum) => {
    let [before, hit, all] = ['', 0, 0];
    for (let count = 1; count <= 60; count++) {
      const { text } = render(steps(count), maxTokens);
      let at = 0;
      while (at < before.length && text[at] === before[at]) at++;
      hit += at;
      all += text.length;
      before = text;
    }
    expect(hit / all).toBeGreaterThan(minimum);
  });
});
