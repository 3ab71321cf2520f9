import fc from 'fast-check';

import { type JsonValue } from '#event-sourcing';
import { type Item } from '#shared-context';

import { parseRef } from '../entries/item-ref.js';
import { viewSource } from '../sources/view-source.js';
import { type Tokenizer, tokenizerOf } from '../tokens/tokenizer.js';
import { renderView } from '../view.js';

const chars4 = tokenizerOf('chars4');
const o200k = tokenizerOf('o200k_base');
const sentence = (words: number, seed: string) =>
  Array.from({ length: words }, (_, at) => `${seed}${at}`).join(' ');

function item(kind: Item['kind'], key: string, version: number, about: Partial<Item>): Item {
  return { kind, key, fromVersion: version, state: { agentId: 'ada' }, body: null, ...about };
}

function decision(key: string, version: number, text: string): Item {
  const state = { status: 'live', agentId: 'ada', version };
  return item('decision', key, version, {
    state,
    body: { decisionId: key, topic: 'storage', decision: text },
  });
}

const preference = (key: string, version: number, body: JsonValue) =>
  item('preference', key, version, { body });
const blocker = (key: string, version: number, description: string) =>
  item('blocker', key, version, {
    state: { status: 'open' },
    body: { blockerId: key, description },
  });
const constraint = (key: string, version: number, text: string) =>
  item('requirement', key, version, { body: { requirementId: key, kind: 'constraint', text } });
const output = (key: string, version: number, text: string) =>
  item('step-output', key, version, { body: { stepId: key, output: text } });
const many = (count: number, make: (at: number) => Item) =>
  Array.from({ length: count }, (_, at) => make(at));

type RenderOptions = Readonly<{
  maxTokens?: number;
  tokenizer?: Tokenizer;
  overflow?: 'refuse' | 'minimum';
  before?: readonly Item[];
}>;

function attempt(
  items: readonly Item[],
  { maxTokens = 50_000, tokenizer = o200k, overflow = 'refuse', before }: RenderOptions = {},
) {
  const source = (all: readonly Item[]) => viewSource({ contextId: 'c', items: all });
  const budget = { maxTokens, tokenizer, newest: 3, overflow };
  return renderView(source(items), before && source(before), budget);
}

function render(items: readonly Item[], options: RenderOptions = {}) {
  const view = attempt(items, options);
  if ('minimumTokens' in view) throw new Error(`too small: ${view.minimumTokens}`);
  return view;
}

const formsOf = ({ items }: ReturnType<typeof render>) =>
  new Map(items.map(({ ref, form }) => [ref, form]));

describe('a view whose protected parts exceed the budget', () => {
  const others = [
    ...many(20, (at) => decision(`DEC-${at}`, at + 2, `Choice ${at} is made.`)),
    ...many(5, (at) => output(`s${at}`, at + 40, sentence(100, `w${at}x`))),
  ];

  it('shows a decision as long as a book as a digest, and everything else as without it', () => {
    const book = decision('DEC-book', 30, `Use files. ${sentence(60_000, 'word')}`);
    const view = render([...others, book]);
    const forms = formsOf(view);
    expect(forms.get('decision:DEC-book')).toBe('digest');
    forms.delete('decision:DEC-book');
    expect([...new Set(forms.values())]).toEqual(['whole']);
    expect(view.text).toContain('Use files.');
    expect(view.items.find(({ form }) => form === 'digest')?.fullTokens).toBeGreaterThan(50_000);
  });

  it('shows a preference, a blocker or a constraint of that size as a digest with its ref', () => {
    for (const huge of [
      preference('tone', 30, `Be brief. ${sentence(60_000, 'word')}`),
      blocker('B1', 30, `No licence. ${sentence(60_000, 'word')}`),
      constraint('R1', 30, `Below 5 ms. ${sentence(60_000, 'word')}`),
    ]) {
      const { text } = render([...others, huge]);
      expect(text).toMatch(new RegExp(`${huge.kind}:${huge.key}\`.*, digest:?\n\`\`\`\n`));
      expect(text).toContain('Choice 19 is made.');
      expect(text).toContain('w4x99');
    }
  });

  it('shortens the largest items, and as few as possible', () => {
    const sizes = [400, 300, 200, 100, 50];
    const items = sizes.map((words, at) =>
      decision(`D${words}`, at + 2, `Number ${words}. ${sentence(words, 'w')}`),
    );
    const all = render(items).tokens;
    for (const [maxTokens, shortened] of [
      [all - 5, 1],
      [Math.floor(all * 0.7), 1],
      [Math.floor(all * 0.4), 2],
    ] as const) {
      const { items: shown } = render(items, { maxTokens });
      expect(shown.map(({ form }) => form === 'whole')).toEqual(
        sizes.map((_, at) => at >= shortened),
      );
    }
  });

  it('shows a shortened live decision as a line with its topic and its first sentence', () => {
    const items = many(100, (at) =>
      decision(`D${at}`, at + 2, `Choice ${at} is made. ${sentence(40, 'because')}`),
    );
    const { text } = render(items, { maxTokens: 4_500 });
    for (let at = 0; at < 60; at++)
      expect(text).toContain(
        `v${at + 2} \`decision:D${at}\` by \`ada\`, live, topic \`storage\`: \`Choice ${at} is made. …\`\n`,
      );
    expect(text).toContain('topic `storage`\n```\ndecision: Choice 99 is made. because0');
  });

  it('omits decisions that are no longer in force before it shortens live ones', () => {
    const past = many(30, (at) => ({
      ...decision(`old${at}`, 2 + at * 10, `Was ${at}.`),
      state: { status: 'superseded', agentId: 'ada', version: 2 + at * 10 },
    }));
    const live = many(100, (at) =>
      decision(`D${at}`, 3 + at * 3, `Choice ${at} is made. ${sentence(40, 'because')}`),
    );
    const { text } = render([...live, ...past], { maxTokens: 4_500 });
    expect(text).toContain('\n- 30 decisions no longer in force: rollup:2-292\n');
    expect(text).not.toContain('decision:old');
    const flood = many(8_000, (at) => preference(`p${at}`, 400, 'x'));
    expect(render([...past, ...flood], { maxTokens: 4_500 }).text).toContain('decision:old29');
  });

  it('gives every kind a fair share, so that many preferences displace neither decisions nor blockers', () => {
    const few = [
      ...others,
      blocker('B1', 50, 'no licence'),
      constraint('R1', 51, 'below 5 ms'),
      item('global', 'constraints', 52, { body: ['no cloud'] }),
    ];
    const view = render([...few, ...many(20_000, (at) => preference(`p${at}`, 60, `value ${at}`))]);
    expect(view.tokens).toBeLessThanOrEqual(50_000);
    for (const verbatim of ['Choice 0 is made.', 'no licence', 'below 5 ms', 'no cloud', 'w4x99'])
      expect(view.text).toContain(verbatim);
    const shown = view.items.filter(({ ref }) => ref.startsWith('preference:')).length;
    expect(shown).toBeGreaterThan(2_000);
    expect(view.text).toContain(`- ${20_000 - shown} more preferences: rollup:60-60\n`);
  });

  it('shows the newest of too many decisions, and changes little with each further one', () => {
    const items = many(540, (at) =>
      decision(`D${at}`, at + 2, `Choice ${at}. ${sentence(30, 'x')}`),
    );
    let before = items.slice(0, 500);
    let stable = 0;
    for (let count = 501; count <= 540; count++) {
      const now = [...items.slice(0, count), blocker('B1', 2, 'no licence')];
      const view = render(now, { maxTokens: 5_000, before });
      expect(view.text).toContain(`decision:D${count - 1}\``);
      expect(view.text).toContain('no licence');
      if (view.stablePrefixTokens > view.tokens / 2) stable++;
      before = now;
    }
    expect(stable).toBeGreaterThan(20);
  });

  it('omits a few items with very long names instead of all items of their kind', () => {
    const long = many(3, (at) => preference(`${at}ü`.repeat(80), 100 + at, 'x'));
    const items = [...long, ...many(100, (at) => preference(`p${at}`, 2 + at, 'x'))];
    const { text } = render(items, { maxTokens: 500 });
    expect(text).toContain('- preference `p99` by `ada`: `x`\n');
  });

  it('counts kinds in one line if none of their items fits', () => {
    const items = [
      decision('D1', 2, `One. ${sentence(200, 'w')}`),
      blocker('B1', 3, sentence(200, 'w')),
      ...many(3, (at) => preference(`p${at}`, 4, sentence(100, 'w'))),
    ];
    const { text } = render(items, { maxTokens: 80 });
    expect(text).toContain(
      '- not shown: 3 preferences, 1 open blocker: rollup:3-4\n- v2 `decision:D1` ',
    );
  });

  it('shows the input of the context first, shortened if it takes much of the budget', () => {
    const spec = `Users sign in by mail. ${sentence(400, 'w')}`;
    const body = { title: 't', input: { spec } };
    const all = [
      item('creation', '', 1, { state: { createdBy: 'lead' }, body }),
      ...many(20, (at) => decision(`DEC-${at}`, at + 2, `Choice ${at} is made.`)),
      ...many(5, (at) => output(`s${at}`, at + 40, sentence(100, `w${at}x`))),
    ];
    const heading = '# context `c`: `t`\n## v1 `creation:` by `lead`, input of the context';
    expect(render(all).text).toContain(`${heading}\n\`\`\`\ninput: {"spec":"Users sign in by`);
    for (const [maxTokens, form] of [
      [5_500, 'whole'],
      [1_600, 'digest'],
      [300, 'line'],
    ] as const) {
      const view = render(all, { maxTokens });
      expect([maxTokens, formsOf(view).get('creation:')]).toEqual([maxTokens, form]);
      expect(view.text).toContain('Users sign in by mail.');
      expect(view.tokens).toBeLessThanOrEqual(maxTokens);
    }
  });

  it('shows any input except an absent one and an empty object', () => {
    for (const body of [{}, { input: {} }])
      expect(render([item('creation', '', 1, { body })]).items).toEqual([]);
    for (const input of ['', null, 0, []])
      expect(render([item('creation', '', 1, { body: { input } })]).text).toContain('input: ');
  });

  it('cuts long names in title and state instead of being refused', () => {
    const title = 'a title of many words '.repeat(45);
    const named = [
      item('creation', '', 1, { body: { title } }),
      item('phase', 'p'.repeat(256), 3, {
        state: { status: 'started', startedVersion: 3, agentId: 'ada' },
      }),
      preference('tone', 2, 'dry'),
    ];
    const view = render(named, { maxTokens: 120 });
    expect(view.text).toMatch(/^# context `c`: `a title of many words .*…`\n/);
    expect(view.text).toMatch(/\n## state: phase `p{39}…`, activeAgent `ada`, status running\n$/);
    expect(view.text).toContain('- preference `tone` by `ada`: `dry`\n');
  });

  it('is refused only if title, state and a reference to everything do not fit', () => {
    const items = [
      ...many(400, (at) => decision(`D${at}`, at + 2, sentence(20, 'w'))),
      ...many(40, (at) => preference(`p${at}`, 500, sentence(20, 'w'))),
    ];
    const refused = attempt(items, { maxTokens: 1 });
    const { minimumTokens } = refused as { minimumTokens: number };
    expect(attempt(items, { maxTokens: minimumTokens - 1 })).toEqual({ minimumTokens });
    const { text, tokens } = render(items, { maxTokens: minimumTokens });
    expect(tokens).toBe(minimumTokens);
    expect(text).toBe(
      '# context `c`\n- not shown: 400 live decisions, 40 preferences: rollup:2-500\n## state: status not_started\n',
    );
    const belowMinimum = { maxTokens: minimumTokens - 1, overflow: 'minimum' as const };
    expect(render(items, belowMinimum).text).toContain('- everything else: rollup:1-500\n');
    expect(render(items, { maxTokens: 1, overflow: 'minimum' }).text).toBe('');
    const more = [...items, output('s', 501, sentence(200, 'w'))];
    const { minimumTokens: least } = attempt(more, { maxTokens: 1 }) as { minimumTokens: number };
    expect(render(more, { maxTokens: least }).text).toContain(
      '- everything else, with 400 live decisions, 40 preferences: rollup:1-501\n',
    );
  });
});

/** Counts the texts, and their characters, that the tokenizer is called with. */
function counting(tokenizer: Tokenizer) {
  const work = { texts: 0, characters: 0 };
  const unitsOf = (text: string) => {
    work.texts++;
    work.characters += text.length;
    return tokenizer.unitsOf(text);
  };
  return { work, tokenizer: { ...tokenizer, unitsOf } };
}

describe('the work for a view of very many protected items', () => {
  const worked = (items: readonly Item[]) => {
    const { work, tokenizer } = counting(chars4);
    render(items, { maxTokens: 2_000, tokenizer });
    return work;
  };

  it.each([
    ['preferences', (at: number) => preference(`p${at}`, 3, `value ${at}`)],
    ['live decisions', (at: number) => decision(`d${at}`, at + 2, `Choice ${at}.`)],
    ['open blockers', (at: number) => blocker(`b${at}`, at + 2, `Lack ${at}.`)],
    ['global constraints', (at: number) => item('global', `constraint ${at}`, 3, { body: at })],
  ])('calls the tokenizer about as often for twice as many %s', (_, make) => {
    const [less, more] = [worked(many(5_000, make)), worked(many(10_000, make))];
    expect(more.texts).toBeLessThan(less.texts * 1.1 + 10);
    expect(more.characters).toBeLessThan(less.characters * 1.2 + 1_000);
    expect(less.texts).toBeLessThan(20_000);
  });

  it('reads no more of a large preference than of a small one', () => {
    const read = (entries: number) => {
      let reads = 0;
      const value = new Proxy(
        Array.from({ length: entries }, (_, at) => at),
        {
          get(list, name) {
            if (typeof name === 'string' && /^\d+$/.test(name)) reads++;
            return Reflect.get(list, name);
          },
        },
      );
      const items = many(4, (at) => preference(`p${at}`, 2, value));
      // Each preference is read whole once.
      render(items, { maxTokens: 2_000, tokenizer: chars4 });
      return reads - 4 * entries;
    };
    expect(read(200_000)).toBe(read(100_000));
  });

  it('grows about linearly with the size of large items', () => {
    const large = (words: number) =>
      many(20, (at) => decision(`d${at}`, at + 2, `Choice ${at}. ${sentence(words, 'w')}`));
    const [less, more] = [worked(large(5_000)), worked(large(10_000))];
    expect(more.characters).toBeLessThan(less.characters * 2.5);
  });
});

describe('a view of any context in any budget', () => {
  const words = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 30 }) },
    { weight: 1, arbitrary: fc.integer({ min: 200, max: 3_000 }) },
  );
  const makers = [
    (key: string, version: number, text: string) => decision(key, version, text),
    (key: string, version: number, text: string) => preference(key, version, text),
    (key: string, version: number, text: string) => blocker(key, version, text),
    (key: string, version: number, text: string) => constraint(key, version, text),
    (key: string, version: number, text: string) =>
      item('global', `constraint ${key}`, version, { body: [text] }),
    (key: string, version: number, text: string) => output(key, version, text),
  ];
  const drawn = fc.array(
    fc.record({ maker: fc.nat(makers.length - 1), words, count: fc.integer({ min: 1, max: 60 }) }),
    { maxLength: 6 },
  );
  const contexts = drawn.map((groups) =>
    groups.flatMap(({ maker, words: size, count }, group) =>
      many(count, (at) => {
        const version = 2 + group * 60 + at;
        const make = makers[maker] ?? decision;
        return make(`k${group}.${at}`, version, `Item ${at}. ${sentence(size, 'w')}`);
      }),
    ),
  );
  const tokenizers = fc.constantFrom(chars4, o200k);

  it('fits, or reports a larger budget that is enough', () => {
    fc.assert(
      fc.property(
        contexts,
        fc.integer({ min: 1, max: 3_000 }),
        tokenizers,
        (items, maxTokens, tokenizer) => {
          const view = attempt(items, { maxTokens, tokenizer });
          if ('minimumTokens' in view) {
            expect(view.minimumTokens).toBeGreaterThan(maxTokens);
            const { minimumTokens } = view;
            expect(attempt(items, { maxTokens: minimumTokens, tokenizer })).toHaveProperty('text');
            const least = render(items, { maxTokens, tokenizer, overflow: 'minimum' });
            expect(least.tokens).toBeLessThanOrEqual(maxTokens);
            return;
          }
          expect(view.tokens).toBeLessThanOrEqual(maxTokens);
          expect(tokenizer.tokensOf(tokenizer.unitsOf(view.text))).toBe(view.tokens);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('shows each protected item or counts it in a line with a ref', () => {
    fc.assert(
      fc.property(contexts, fc.integer({ min: 60, max: 3_000 }), (items, maxTokens) => {
        const view = attempt(items, { maxTokens, tokenizer: chars4 });
        if ('minimumTokens' in view) return;
        const pinned = items.filter(({ kind }) => kind !== 'step-output');
        const shown = new Set(view.items.map(({ ref }) => ref));
        const missing = pinned.filter(
          ({ kind, key }) => !shown.has(`${kind}:${key.replaceAll(' ', '~0020')}`),
        );
        expect(countedIn(view.text)).toBe(missing.length);
        const ranges = rangesIn(view.text);
        for (const { fromVersion } of missing)
          expect(ranges.some(({ from, to }) => from <= fromVersion && fromVersion <= to)).toBe(
            true,
          );
      }),
      { numRuns: 40 },
    );
  });

  it('shows a few items of a kind as full as without many items of another kind', () => {
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 3_000 }), fc.nat(2), (maxTokens, kind) => {
        const make = makers[kind] ?? decision;
        const flood = many(3_000, (at) => make(`f${at}`, 10 + at, `Flood ${at}.`));
        const few = [
          decision('D', 3, 'Short.'),
          blocker('B', 4, 'Short.'),
          preference('P', 5, 'Short.'),
        ];
        const forms = formsOf(render([...few, ...flood], { maxTokens, tokenizer: chars4 }));
        const spared = ['decision:D', 'preference:P', 'blocker:B'].filter((_, at) => at !== kind);
        for (const ref of spared) expect(forms.get(ref)).toBe('whole');
      }),
      { numRuns: 20 },
    );
  });
});

const countLines =
  /^- (?:(\d+) more [a-z ]+|(?:not shown|everything else, with)\b[ :]*(.*)): rollup:/gm;

function countedIn(text: string): number {
  return [...text.matchAll(countLines)].reduce((sum, [, more, counts]) => {
    const numbers = more ?? (counts ?? '').replaceAll(/[^\d,]/g, '');
    return sum + numbers.split(',').reduce((all, number) => all + Number(number), 0);
  }, 0);
}

function rangesIn(text: string) {
  return [...text.matchAll(/rollup:\d+-\d+/g)].flatMap(([ref]) => {
    const found = parseRef(ref);
    return found && 'versions' in found ? [found.versions] : [];
  });
}
