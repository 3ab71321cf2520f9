import { type JsonValue } from '#event-sourcing';

import { templateLimits } from './limits.js';
import { renderTemplate } from './renderer.js';
import { TemplateError } from './template.error.js';
import { parseTemplate } from './template.parser.js';

const { steps, outputLength } = templateLimits;

function rendered(source: string, values: Readonly<Record<string, JsonValue>>, isOwn = true) {
  const data = new Map(Object.entries(values).map(([name, value]) => [name, { value, isOwn }]));
  return renderTemplate(parseTemplate(source), data);
}

/** The reason without line and column. */
function refusal(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof TemplateError) return error.reason;
    throw error;
  }
}

function list(length: number, entry: JsonValue = 1): readonly JsonValue[] {
  return Array.from({ length }, () => entry);
}

/** An object that contains itself under the name `a`, with a counter of lookups. */
function counted() {
  let lookups = 0;
  const value: JsonValue = new Proxy<Record<string, JsonValue>>(
    {},
    {
      getOwnPropertyDescriptor: (_, name) => {
        lookups += 1;
        return name === 'a' ? { value, configurable: true, enumerable: true } : undefined;
      },
      get: (_, name) => (name === 'a' ? value : undefined),
    },
  );
  return { value, lookups: () => lookups };
}

/** The results of a built-in function that the work calls. */
function callsOf(owner: object, name: string, work: () => unknown): readonly string[] {
  const original = Reflect.get(owner, name);
  const results: string[] = [];
  Reflect.set(owner, name, function (this: unknown, ...given: unknown[]) {
    const result = Reflect.apply(original, this, given);
    results.push(String(result));
    return result;
  });
  try {
    refusal(work);
  } finally {
    Reflect.set(owner, name, original);
  }
  return results;
}

function charactersIn(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

const tooManySteps = `rendering takes more than ${steps} steps: use shorter lists, or fewer paths in loops`;
const tooLong = `the text would have more than ${outputLength} characters: name parts of large values instead of whole values`;

describe('the steps of rendering', () => {
  it('limit paths of hundreds of names in loops', () => {
    const { value, lookups } = counted();
    const tags = `{{#if this${'.a'.repeat(500)}.none}}{{/if}}`.repeat(240);
    const work = () => rendered(`{{#each l}}${tags}{{/each}}`, { l: list(800, value) });
    expect(refusal(work)).toBe(tooManySteps);
    expect(lookups()).toBeLessThanOrEqual(steps);
    expect(lookups()).toBeGreaterThan(steps / 2);
  });

  it.each([
    ['{{#each l}}x{{/each}}', 2],
    ['{{#each l}}{{this}}{{/each}}', 2],
    ['{{#each l}}{{@key}}{{/each}}', 2],
    ['{{#each l}}{{#if none}}{{/if}}{{/each}}', 3],
    ['{{#each l}}{{../none}}{{/each}}', 4],
    ['{{#each l}}{{none.of.them}}{{/each}}', 5],
    ['{{#each l}}{{lookup none other}}{{/each}}', 4],
    ['{{#each l}}{{#each none}}{{else}}x{{/each}}{{/each}}', 4],
  ])(
    'of %s are a fixed number for each round, up to the limit and no further',
    (source, eachRound) => {
      const loop = 2;
      const rounds = Math.floor((steps - loop) / eachRound);
      const values = { l: list(rounds) };
      const others = 'x{{! }}'.repeat(steps - loop - rounds * eachRound);
      expect(refusal(() => rendered(`${source}${others}`, values))).toBeUndefined();
      expect(refusal(() => rendered(`${source}${others}x`, values))).toBe(tooManySteps);
    },
  );

  it('include the characters of a name that is read as a path, up to the maximum length of a path', () => {
    const source = '{{#each l}}{{lookup ../o this}}{{/each}}';
    const fits = (length: number) => Math.floor((steps - 2) / (4 + Math.min(length, 256)));
    for (const length of [1, 100, 255, 256, 257, 5_000]) {
      const name = `${'a.'.repeat(length)}`.slice(0, length);
      const most = fits(length);
      expect(refusal(() => rendered(source, { o: {}, l: list(most, name) }))).toBeUndefined();
      expect(refusal(() => rendered(source, { o: {}, l: list(most + 1, name) }))).toBe(
        tooManySteps,
      );
    }
  });

  it('are counted for a list before its entries are read', () => {
    let looked = 0;
    const entries = new Proxy(list(steps + 1), {
      get: (target, name, receiver) => {
        if (typeof name === 'string' && /^\d/.test(name)) looked += 1;
        return Reflect.get(target, name, receiver);
      },
    });
    expect(refusal(() => rendered('{{#each l}}x{{/each}}', { l: entries }))).toBe(tooManySteps);
    expect(looked).toBe(0);
  });
});

describe('the names of an object', () => {
  it('are listed once, even if the object is used often', () => {
    let listed = 0;
    const object = new Proxy(
      { a: 1, b: 2 },
      {
        ownKeys: (target) => {
          listed += 1;
          return Reflect.ownKeys(target);
        },
      },
    );
    const source = '{{#each l}}{{#if ../o}}{{#each ../o}}{{@key}}{{/each}}{{/if}}{{/each}}';
    expect(rendered(source, { o: object, l: list(50) })).toBe('ab'.repeat(50));
    expect(listed).toBe(1);
  });
});

describe('the length of the rendered text', () => {
  const whole = 'x'.repeat(outputLength);
  const quoted = JSON.stringify('"').length;

  it('can be as large as the limit, and not one character more', () => {
    expect(rendered('{{a}}', { a: whole })).toBe(whole);
    expect(refusal(() => rendered('{{a}}', { a: `${whole}x` }))).toBe(tooLong);
    expect(refusal(() => rendered('{{a}}x', { a: whole }))).toBe(tooLong);
    expect(refusal(() => rendered('x{{a}}', { a: whole }))).toBe(tooLong);
    const json = [whole.slice(4)];
    expect(rendered('{{a}}', { a: json })).toHaveLength(outputLength);
    expect(refusal(() => rendered('{{a}}x', { a: json }))).toBe(tooLong);
    expect(refusal(() => rendered('{{a}}', { a: [`${json[0]}x`] }))).toBe(tooLong);
  });

  it('includes the fence, its label, and the lines that set it apart', () => {
    const fence = '```text source=a\n\n```'.length;
    const value = `${'x '.repeat(outputLength / 2)}`.slice(fence);
    expect(rendered('{{a}}', { a: value }, false)).toHaveLength(outputLength);
    expect(refusal(() => rendered('{{a}}', { a: `${value}x` }, false))).toBe(tooLong);
    expect(refusal(() => rendered('{{a}}x', { a: value }, false))).toBe(tooLong);
    expect(rendered('{{a}}x', { a: value.slice(2) }, false)).toHaveLength(outputLength);
    expect(refusal(() => rendered('{{a}}x', { a: value.slice(1) }, false))).toBe(tooLong);
  });

  it('is known for JSON before the JSON is written', () => {
    const values: JsonValue[] = [
      list(outputLength, 'x'),
      Object.fromEntries(list(200_000).map((_, at) => [`member${at}`, at])),
      ['"'.repeat(outputLength)],
      { [whole]: 1 },
      [whole, whole],
    ];
    for (const value of values)
      for (const isOwn of [true, false]) {
        const texts = callsOf(JSON, 'stringify', () => rendered('{{a}}', { a: value }, isOwn));
        const longest = texts.reduce((most, { length }) => Math.max(most, length), 0);
        expect(longest).toBeLessThanOrEqual(quoted * outputLength);
        expect(charactersIn(texts)).toBeLessThanOrEqual(2 * quoted * outputLength);
      }
  });

  it('is known for a fence before the fence is made', () => {
    const value = `${'`'.repeat(outputLength / 2)} `;
    expect(refusal(() => rendered('{{a}}', { a: value }, false))).toBe(tooLong);
    expect(
      callsOf(String.prototype, 'repeat', () => rendered('{{a}}', { a: value }, false)),
    ).toEqual([]);
  });
});

describe('labels of fences', () => {
  it('encode each name of a path once, and no names beyond the longest label', () => {
    const encoded = (names: number, fences: number) => {
      let value: JsonValue = list(fences, 'two words');
      for (let left = names; left > 0; left -= 1) value = { name: value };
      const source = `{{#each a${'.name'.repeat(names)}}}A {{this}}{{/each}}`;
      return callsOf(globalThis, 'encodeURIComponent', () => rendered(source, { a: value }, false))
        .length;
    };
    // The path of the list, and the index of each entry in it.
    expect(encoded(10, 100)).toBe(11 + 100);
    expect(encoded(10, 200)).toBe(11 + 200);
    expect(encoded(39, 100)).toBe(40 + 100);
    // 41 names take more than 200 characters, so no label contains the names after them.
    expect(encoded(80, 100)).toBe(41);
  });
});
