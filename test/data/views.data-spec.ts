import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { Tiktoken } from 'js-tiktoken/lite';
import cl100kBase from 'js-tiktoken/ranks/cl100k_base';
import o200kBase from 'js-tiktoken/ranks/o200k_base';

import {
  type TokenizerName,
  type View,
  type ViewSource,
  entriesOf,
  parseRef,
  refOf,
  renderView,
  tokenizerNames,
  tokenizerOf,
  statusAmong,
  viewSource,
} from '#context-views';
import { type JsonValue } from '#event-sourcing';
import { type Item, ContextState } from '#shared-context';

import { atLeast, sampled } from './size.js';
import { type RealContext, realContexts } from './views/corpus.js';
import { stateAfter } from './views/source-event.js';
import { withDuties } from './views/duties.js';

const root = join(import.meta.dirname, '..', '..');
const data = resolve(root, process.env['THROUGHLINE_DATA'] ?? '../shared/data');
const budgets = [300, 2_000, 8_000, 50_000];
const limitMs = 300_000;

const tokenizers = {
  o200k_base: tokenizerOf('o200k_base'),
  cl100k_base: tokenizerOf('cl100k_base'),
  chars4: tokenizerOf('chars4'),
};

const wishes = budgets.flatMap((maxTokens) => tokenizerNames.map((name) => ({ maxTokens, name })));

/** Another library counts the tokens of contexts by turns: each at one budget in one encoding. */
const turns = budgets.flatMap((maxTokens) =>
  (['o200k_base', 'cl100k_base'] as const).map((name) => ({ maxTokens, name })),
);
/** That library takes quadratic time for long words. */
const longestCounted = 100_000;

if (existsSync(join(data, 'trajectories')) && existsSync(join(data, 'stories'))) {
  describe(`views of the real runs, stories, trails, logs and decisions in ${data}`, () => {
    const contexts = realContexts(data, sampled);
    const counters = {
      o200k_base: new Tiktoken(o200kBase),
      cl100k_base: new Tiktoken(cl100kBase),
    };

    it(
      'are within their budget, contain each live decision verbatim if it fits, and refer to everything else',
      () => {
        const counted = { views: 0, refused: 0, decisions: 0, duties: 0, shortened: 0, again: 0 };
        for (const [n, context] of contexts.entries()) {
          const state = stateAfter(withDuties(context).events);
          const items = [...state.values()];
          const source = viewSource({ contextId: context.name, items });
          const faults: string[] = [];
          for (const { maxTokens, name } of wishes) {
            const view = rendered(source, undefined, { maxTokens, name });
            if (view === undefined) {
              counted.refused += 1;
              continue;
            }
            const looked = {
              ...mustSay(view, items, { maxTokens, name }),
              shortened: refsIn(view, { source, state, name }),
            };
            counted.views += 1;
            counted.decisions += looked.decisions.count;
            counted.duties += looked.duties.count;
            counted.shortened += looked.shortened.count;
            faults.push(
              ...(view.tokens > maxTokens ? ['it is over its budget'] : []),
              ...(name === 'chars4' && Math.ceil(view.text.length / 4) !== view.tokens
                ? ['its characters are others']
                : []),
              ...Object.values(looked).flatMap((each) => each.faults),
            );
            const turn = turns[n % turns.length];
            if (turn?.maxTokens !== maxTokens || turn.name !== name) continue;
            if (view.text.length > longestCounted) continue;
            counted.again += 1;
            if (!isCountedRight(view, name)) faults.push('its tokens are others');
          }
          expect([context.name, faults]).toEqual([context.name, []]);
        }
        expect(contexts.length).toBeGreaterThan(atLeast(900));
        expect(counted.views).toBeGreaterThan(atLeast(10_000));
        expect(counted.refused).toBeLessThan(counted.views / 10);
        expect(counted.decisions).toBeGreaterThan(atLeast(5_000));
        expect(counted.duties).toBeGreaterThan(atLeast(30_000));
        expect(counted.shortened).toBeGreaterThan(atLeast(20_000));
        expect(counted.again).toBeGreaterThan(atLeast(800));
      },
      limitMs,
    );

    it(
      'report the required tokens if a budget is too small, fit into exactly that number, and into any with overflow=minimum',
      () => {
        let refused = 0;
        for (const context of contexts) {
          const items = [...stateAfter(withDuties(context).events).values()];
          const source = viewSource({ contextId: context.name, items });
          for (const maxTokens of [10, 20]) {
            const budget = { maxTokens, tokenizer: tokenizers.o200k_base, newest: 3 };
            const view = renderView(source, undefined, { ...budget, overflow: 'refuse' });
            if (!('minimumTokens' in view)) break;
            refused += 1;
            const { minimumTokens } = view;
            expect(minimumTokens).toBeGreaterThan(maxTokens);
            const least = rendered(source, undefined, {
              maxTokens: minimumTokens,
              name: 'o200k_base',
            });
            expect(least?.tokens).toBeLessThanOrEqual(minimumTokens);
            const some = renderView(source, undefined, { ...budget, overflow: 'minimum' });
            expect('tokens' in some && some.tokens).toBeLessThanOrEqual(maxTokens);
          }
        }
        expect(refused).toBeGreaterThan(atLeast(100));
      },
      limitMs,
    );

    it(
      'begin like the view of the version before, as far as that one goes',
      () => {
        let stable = 0;
        let pairs = 0;
        for (const [n, context] of contexts.entries()) {
          const { maxTokens, name } = wishes[n % wishes.length] ?? {
            maxTokens: 300,
            name: 'chars4',
          };
          for (const [before, now] of versionPairs(context)) {
            const earlier = rendered(before, undefined, { maxTokens, name });
            const view = rendered(now, before, { maxTokens, name });
            if (!earlier || !view) continue;
            pairs += 1;
            expect(view.stablePrefixTokens).toBeLessThanOrEqual(view.tokens);
            const prefix = firstTokens(view.text, view.stablePrefixTokens, name);
            expect([context.name, earlier.text.startsWith(prefix)]).toEqual([context.name, true]);
            stable += view.stablePrefixTokens / earlier.tokens;
          }
        }
        expect(pairs).toBeGreaterThan(atLeast(1_200));
        expect(stable).toBeGreaterThan(pairs / 2);
      },
      limitMs,
    );

    /**
     * By the library's own count; around a few characters it splits differently from the definition of the encodings.
     */
    function isCountedRight({ text, tokens }: View, name: keyof typeof counters): boolean {
      const off = Math.abs(counters[name].encode(text, [], []).length - tokens);
      return off <= (text.match(/[\u0085\ufeff\u017f]/gu) ?? []).length;
    }

    /** The text of the first tokens, by another library. */
    function firstTokens(text: string, tokens: number, name: TokenizerName): string {
      if (name === 'chars4') return text.slice(0, tokens * 4);
      const near = text.slice(0, tokens * 24 + 64);
      return counters[name].decode(counters[name].encode(near, [], []).slice(0, tokens));
    }
  });
} else {
  describe(`views of real contexts, ABSENT in ${data}`, () => {
    it('are not rendered here', () => {
      expect(['trajectories', 'stories'].every((name) => existsSync(join(data, name)))).toBe(false);
    });
  });
}

type ViewRequest = Readonly<{ maxTokens: number; name: TokenizerName }>;

/** Undefined if the protected parts exceed the budget, which must then be true. */
function rendered(
  now: ViewSource,
  before: ViewSource | undefined,
  { maxTokens, name }: ViewRequest,
): View | undefined {
  const tokenizer = tokenizers[name];
  const budget = { maxTokens, tokenizer, newest: 3, overflow: 'refuse' } as const;
  const view = renderView(now, before, budget);
  if ('text' in view) return view;
  expect(view.minimumTokens).toBeGreaterThan(maxTokens);
  return undefined;
}

/** Faults of a view of these items: missing required text, or forbidden text; and the number of checks. */
type CheckResult = Readonly<{ faults: readonly string[]; count: number }>;

/** A text that a view contains verbatim if all such texts fit. */
type VerbatimText = Readonly<{ ref: string; version: number; text: string }>;

/** Live decisions and duties are verbatim; if they may not fit, they are shortened with a ref. */
function mustSay(
  view: View,
  items: readonly Item[],
  { maxTokens, name }: Pick<ViewRequest, 'maxTokens' | 'name'>,
): Readonly<Record<'decisions' | 'duties', CheckResult>> {
  const [decisions, duties] = [decisionsOf(items), dutiesOf(items)];
  const tokenizer = tokenizers[name];
  const pinned = [...decisions, ...duties].map(({ text }) => tokenizer.unitsOf(text));
  const taken = tokenizer.tokensOf(pinned.reduce((sum, units) => sum + units, 0));
  const mayShorten = taken > maxTokens * surelyFits;
  const looked = (those: readonly VerbatimText[]) => {
    const missing = those.filter(({ text }) => !view.text.includes(shown(text)));
    const lost = missing.filter((each) => !mayShorten || !isShortened(view, each));
    return { count: those.length, faults: lost.map(({ ref }) => `${ref} is missing`) };
  };
  return { decisions: looked(decisions), duties: looked(duties) };
}

/** The share of a budget for texts that are never shortened; headings and fences take some of it, too. */
const surelyFits = 0.25;

function isShortened({ items }: View, { ref, version }: VerbatimText): boolean {
  return items.some((item) => {
    if (item.form === 'whole') return false;
    const to = parseRef(item.ref);
    if (!to || !('versions' in to)) return item.ref === ref;
    return version >= to.versions.from && version <= to.versions.to;
  });
}

function decisionsOf(items: readonly Item[]): readonly VerbatimText[] {
  return items
    .filter(({ kind, state }) => kind === 'decision' && state['status'] === 'live')
    .map((item) => pinnedOf(item, memberOf(item.body, 'decision')));
}

/** Preferences, constraints, open blockers and open critical handovers. */
function dutiesOf(items: readonly Item[]): readonly VerbatimText[] {
  return items.flatMap((item) => {
    const { kind, key, state, body } = item;
    const isOpen = state['status'] === 'open';
    if (kind === 'preference') return [pinnedOf(item, textOf(body))];
    if (kind === 'global' && key === 'constraints') return [pinnedOf(item, textOf(body))];
    if (kind === 'requirement' && memberOf(body, 'kind') === 'constraint')
      return [pinnedOf(item, memberOf(body, 'text'))];
    if (kind === 'blocker' && isOpen) return [pinnedOf(item, memberOf(body, 'description'))];
    if (kind === 'handover' && isOpen && memberOf(body, 'priority') === 'critical')
      return [pinnedOf(item, memberOf(body, 'note'))];
    return [];
  });
}

function pinnedOf(item: Item, text: string): VerbatimText {
  const { version } = item.state;
  const recorded = item.kind === 'decision' && typeof version === 'number' ? version : undefined;
  return { ref: refOf(item), version: Math.max(recorded ?? item.fromVersion, 1), text };
}

type ViewContent = Readonly<{ source: ViewSource; state: ContextState; name: TokenizerName }>;

/** Each event of the timeline has an entry or is in a roll-up, each ref has a target, and the counts add up. */
function refsIn(view: View, { source, state, name }: ViewContent): CheckResult {
  const items = [...state.values()];
  const shownRefs = new Set(view.items.map(({ ref }) => ref));
  const parsed = view.items.map(({ ref }) => ({ ref, to: parseRef(ref) }));
  const ranges = parsed.flatMap(({ to }) => (to && 'versions' in to ? [to.versions] : []));
  const lost = parsed.filter(
    ({ to }) =>
      !to || !('versions' in to || ('item' in to && state.get(to.item.kind, to.item.key))),
  );
  const untold = [...entriesOf(items, statusAmong(items, undefined))].filter(
    ({ ref, version }) =>
      !shownRefs.has(ref) && !ranges.some(({ from, to }) => version >= from && version <= to),
  );
  const shortened = view.items.filter(({ form }) => form !== 'whole');
  const unsaid = shortened.filter(({ ref }) => !view.text.includes(ref));
  return {
    count: shortened.length,
    faults: [
      ...(isTwice(view) ? ['something is shown twice'] : []),
      ...lost.map(({ ref }) => `${ref} leads nowhere`),
      ...untold.map(({ ref }) => `${ref} is not in the view`),
      ...unsaid.map(({ ref }) => `${ref} is not in the text`),
      ...(name === 'chars4' || restOf(view, source, name) === 0 ? [] : ['the sum is another']),
    ],
  };
}

/** Several kinds of items may be counted with the same range of versions. */
function isTwice({ items }: View): boolean {
  const single = items.map(({ ref }) => ref).filter((ref) => !ref.startsWith('rollup:'));
  return new Set(single).size < single.length;
}

const mentions = /^## also mentioned in what is shortened above\n(`{3,})\n(?:.*\n)+?\1\n/gm;
const furtherLines = /^- more of `[^`\n]+`:\n(`{3,})\n(?:.*\n)+?\1\n/gm;

/** The tokens without items and refs: the header, the state, and the descriptions of groups. */
function restOf(view: View, source: ViewSource, name: TokenizerName): number {
  const tokenizer = tokenizers[name];
  const own = [
    source.header,
    ...source.currentState.flatMap((part) => (part.ref ? [] : [part.whole])),
  ];
  const ofMany = [mentions, furtherLines].flatMap((part) => view.text.match(part) ?? []);
  const items = view.items.reduce((sum, { tokens }) => sum + tokens, 0);
  const rest = [...own, ...ofMany].reduce((sum, text) => sum + tokenizer.unitsOf(text), 0);
  return view.tokens - items - rest;
}

/** Some versions of a context at equal distances, each with the one before. */
function versionPairs(context: RealContext): readonly (readonly [ViewSource, ViewSource])[] {
  const { events, name } = context;
  const most = 2;
  const step = Math.max(1, Math.floor((events.length - 1) / most));
  const pairs: (readonly [ViewSource, ViewSource])[] = [];
  let state = ContextState.from([]);
  const sourceOf = (like?: ViewSource) =>
    viewSource({ contextId: name, items: [...state.values()], like });
  for (const [at, event] of events.entries()) {
    const isPair = at > 0 && at % step === 0;
    const before = isPair ? sourceOf() : undefined;
    state = state.apply(event);
    if (before) pairs.push([before, sourceOf(before)]);
  }
  return pairs;
}

function memberOf(value: JsonValue | undefined, name: string): string {
  return textOf(Reflect.get(Object(value), name) as JsonValue);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** As in the text of views. */
function shown(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
