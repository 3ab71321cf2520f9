import fc from 'fast-check';

import { type JsonValue } from '#event-sourcing';

import {
  type Contract,
  type InputValue,
  type InputRules,
  checkBudget,
  checkInputs,
  contractLimits,
  readContract,
} from './index.js';

const brief = 'analyst.outputs.project_brief';

function contractOf(rules: Partial<InputRules>) {
  const input = { path: brief, ...rules };
  return readContract('pm', {
    name: 'John',
    role: 'product manager',
    kind: 'llm',
    contract: { inputs: { brief: input } },
  });
}

/** A check without pauses. */
function findingsOf(...asked: Parameters<typeof checkInputs>) {
  const steps = checkInputs(...asked);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function check(
  rules: Partial<InputRules>,
  value: JsonValue | undefined,
  given: Partial<InputValue> = {},
) {
  return findingsOf(contractOf(rules), () => ({ ...given, value }));
}

/** The findings about a value, in the order of the rules. */
function said(...asked: Parameters<typeof check>): string[] {
  return check(...asked).failed.map(({ rule, detail }) => `${rule}: ${detail}`);
}

describe('an input', () => {
  it('that is required and absent is reported as missing, with its path', () => {
    expect(check({}, undefined)).toEqual({
      ok: false,
      missing: [
        {
          input: 'brief',
          path: brief,
          detail: '"analyst" has added no output named "project_brief"',
        },
      ],
      failed: [],
    });
    expect(check({}, null).missing).toMatchObject([{ detail: 'there is null' }]);
  });

  it('is reported as missing as a whole or only in part', () => {
    const path = `${brief}.structured_data.core_features`;
    expect(check({ path }, undefined).missing).toMatchObject([
      {
        detail: 'the output "project_brief" of "analyst" holds nothing there, or is not there yet',
      },
    ]);
    expect(check({ path: 'global_context.budget' }, undefined).missing).toMatchObject([
      { detail: 'nothing is there' },
    ]);
  });

  it('that is optional may be missing, but is checked if it is present', () => {
    const rules = { required: false, minCount: 2 };
    expect(check(rules, undefined)).toEqual({ ok: true, missing: [], failed: [] });
    expect(check(rules, [1])).toMatchObject({ ok: false, missing: [] });
  });

  it.each<[string, Partial<InputRules>, JsonValue]>([
    ['of the format asked for', { format: 'array' }, []],
    ['with every section', { requiredSections: ['goals'] }, { goals: 0 }],
    [
      'with every section in its structured data',
      { requiredSections: ['goals'] },
      { structured_data: { goals: ['g'] } },
    ],
    [
      'whose headings are the sections',
      { requiredSections: ['target_users'] },
      '# Brief\n## Target Users:\nadmins',
    ],
    [
      'with every word, in any case and place',
      { mustContain: ['Problem', 'users'] },
      { a: ['the PROBLEM'], users: 1 },
    ],
    ['long enough', { minLength: 2 }, '😀😀'],
    ['with enough entries', { minCount: 2 }, { a: 1, b: 2 }],
    ['as its schema says', { schema: { type: 'array', items: { type: 'integer' } } }, [1, 2]],
    ['that is a whole number', { format: 'integer' }, 3],
    ['that is Markdown', { format: 'markdown' }, '# A\ntext'],
  ])('%s satisfies its rules', (_, rules, value) => expect(said(rules, value)).toEqual([]));

  it.each<[Partial<InputRules>, JsonValue, string[]]>([
    [{ format: 'array' }, { a: 1 }, ['format: is object, not array']],
    [{ format: 'integer' }, 1.5, ['format: is number, not integer']],
    [{ format: 'markdown' }, 'plain', ['format: is a text without a heading, not markdown']],
    [
      { requiredSections: ['a', 'b', 'c', 'toString'] },
      { a: '', b: [], structured_data: { c: {} } },
      ['a', 'b', 'c', 'toString'].map((name) => `requiredSections: "${name}" is missing or blank`),
    ],
    [
      { requiredSections: ['Goals'] },
      '# Goals\n\n# Users\nadmins',
      ['requiredSections: "Goals" is missing or blank'],
    ],
    [{ mustContain: ['solution'] }, 'a problem', ['mustContain: "solution" is nowhere in it']],
    [{ minLength: 50 }, 'short', ['minLength: has 5 characters, at least 50 needed']],
    [{ minLength: 1 }, [], ['minLength: is array: only a text has a length']],
    [{ minCount: 3 }, ['x'], ['minCount: has 1 entries, at least 3 needed']],
    [{ minCount: 1 }, 'text', ['minCount: is string: only lists and objects can be counted']],
    [
      { schema: { properties: { a: { type: ['string', 'null'] } }, required: ['b'] } },
      { a: 1 },
      ['schema: /b is missing', 'schema: /a is number, not string or null'],
    ],
  ])('with the rules %j is refused as %j', (rules, value, faults) => {
    expect(said(rules, value)).toEqual(faults);
  });

  it('is reported with all the rules that it violates', () => {
    const rules = { format: 'object' as const, minLength: 9, mustContain: ['x'] };
    expect(check(rules, 'abc').failed.map(({ rule }) => rule)).toEqual([
      'format',
      'mustContain',
      'minLength',
    ]);
  });

  it('needs the required score, recorded for its current value', () => {
    const rules = { qualityThreshold: 7 };
    const score = (value: number, isCurrent = true) =>
      said(rules, {}, { score: { value, isCurrent } });
    expect(score(7)).toEqual([]);
    expect(score(6.9)).toEqual([
      'qualityThreshold: has an overall_score of 6.9, at least 7 needed',
    ]);
    expect(score(9, false)).toEqual([
      'qualityThreshold: has not been scored since it was added again, at least 7 needed',
    ]);
    expect(said(rules, {})).toEqual(['qualityThreshold: has no overall_score, at least 7 needed']);
  });

  it('is checked as a whole against the contract of its agent', () => {
    const promise = { schema: { required: ['prd'] }, output: { other: 1 } };
    expect(said({}, 'a part', { promise })).toEqual(['outputSchema: /prd is missing']);
  });
});

describe('headings', () => {
  it.each<[string, string[]]>([
    ['# A\ntext\n## B\n\n## C\ntext', ['b']],
    ['# A\n## B\ntext', []],
    ['```\n# A\n```\n# B\ntext', ['a']],
    ['~~~\n```\n# A\n~~~\ntext', ['a']],
    ['    # A\ntext', ['a']],
    ['#A\ntext', ['a']],
    ['####### A\ntext', ['a']],
    ['# A ##\r\ntext', []],
    ['text\n# A', ['a']],
  ])('of %j leave the sections %j missing', (text, missing) => {
    const sections = ['a', 'b'].filter((name) => new RegExp(`\\b${name}\\b`, 'i').test(text));
    const found = said({ requiredSections: sections }, text);
    expect(found).toEqual(missing.map((name) => `requiredSections: "${name}" is missing or blank`));
  });

  it('are found at the end of a long, irregular text', () => {
    const text = `${'#'.repeat(300_000)}\n~${'`'.repeat(300_000)}\n${'# a\n'.repeat(100_000)}# x\ntext`;
    expect(said({ requiredSections: ['x', 'a'] }, text)).toEqual([
      'requiredSections: "a" is missing or blank',
    ]);
  });
});

describe('a check', () => {
  it('reports the first issues of a value with more members than a function accepts arguments', () => {
    const members = Array.from({ length: 200_000 }, (_, at) => [`m${at}`, at] as const);
    const schema = { properties: {}, additionalProperties: false };
    expect(said({ schema }, Object.fromEntries(members)).slice(0, 2)).toEqual([
      'schema: /m0 is not allowed here',
      'schema: /m1 is not allowed here',
    ]);
  });

  it('reports no more than fits into an event, for any data', () => {
    const schema = { additionalProperties: false };
    const [fault] = check({ schema }, { ['😀'.repeat(100_000)]: 1 }).failed;
    expect(fault?.detail.length).toBeLessThanOrEqual(500);
    expect(fault?.detail.isWellFormed()).toBe(true);
    const words = Array.from({ length: 64 }, (_, at) => `word ${at}`);
    const inputs = Array.from({ length: 10 }, (_, at) => [
      `i${at}`,
      { path: brief, mustContain: words },
    ]);
    const contract = readContract('pm', {
      name: 'John',
      role: 'product manager',
      kind: 'llm',
      contract: { inputs: Object.fromEntries(inputs) },
    });
    const found = findingsOf(contract, () => ({ value: '' }));
    expect([found.ok, found.failed.length]).toEqual([false, 500]);
  });

  it('returns a result for any JSON, and the same one each time', () => {
    const rules: Partial<InputRules> = {
      requiredSections: ['a', '__proto__'],
      mustContain: ['a'],
      minLength: 1,
      minCount: 1,
      format: 'markdown',
      qualityThreshold: 1,
      schema: { type: 'object', enum: [1, {}] },
    };
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        // What fast-check makes is JSON.
        const value = json as JsonValue;
        const found = check(rules, value);
        expect(check(rules, value)).toEqual(found);
        expect(found.ok).toBe(found.missing.length + found.failed.length === 0);
      }),
    );
  });
});

describe('the cost of a check', () => {
  /** The counted steps, and the number of pauses of the check for other work. */
  function costOf(contract: Contract, value: JsonValue) {
    const budget = checkBudget();
    const steps = checkInputs(contract, () => ({ value }), budget);
    let pauses = 0;
    for (;;) {
      const { done, value: findings } = steps.next();
      if (done) return { spent: budget.spent, pauses, findings };
      pauses += 1;
    }
  }
  const list = (length: number, entry: JsonValue): JsonValue => Array.from({ length }, () => entry);
  const names = (count: number) => Array.from({ length: count }, (_, at) => `member-${at}`);
  const members = (count: number): JsonValue =>
    Object.fromEntries(names(count).map((name) => [name, 1]));
  const ofEntries = (items: InputRules['schema']): Partial<InputRules> => ({ schema: { items } });
  const properties = Object.fromEntries(names(998).map((name) => [name, {}]));

  it.each<[string, Partial<InputRules>, (size: number) => JsonValue]>([
    ['entries', ofEntries({ type: 'object' }), (size) => list(size, {})],
    ['entries, each of a thousand properties', ofEntries({ properties }), (size) => list(size, {})],
    [
      'entries, each of a thousand members that are required',
      ofEntries({ required: Array.from({ length: 1_000 }, () => 'a') }),
      (size) => list(size, { a: 1 }),
    ],
    [
      'entries, each of one of 256 values',
      ofEntries({ enum: Array.from({ length: 256 }, (_, at) => [at]) }),
      (size) => list(size, [255]),
    ],
    [
      'members that may be unknown',
      { schema: { properties, additionalProperties: false } },
      members,
    ],
    ['members to count', { minCount: 1 }, members],
    ['entries whose words are looked for', { mustContain: ['x'] }, (size) => list(size, 'x')],
    [
      'characters that words are looked for in',
      { mustContain: ['y', 'z'] },
      (size) => 'x'.repeat(size * 64),
    ],
    ['headings', { requiredSections: ['a'] }, (size) => '# a\n'.repeat(size)],
    ['lines that may be headings', { format: 'markdown' }, (size) => '\n'.repeat(size)],
    ['members of a section', { requiredSections: ['a'] }, (size) => ({ a: members(size) })],
    [
      'characters of a section',
      { requiredSections: ['a'] },
      (size) => ({ a: ' '.repeat(size * 64) }),
    ],
    ['characters', { minLength: 1 }, (size) => 'x'.repeat(size * 64)],
  ])('grows in proportion to the number of %s', (_, rules, valueOf) => {
    const costs = [100, 200, 300].map((size) => costOf(contractOf(rules), valueOf(size)));
    const [first, second, third] = costs.map(({ spent }) => spent);
    expect(Number(third) - Number(second)).toBe(Number(second) - Number(first));
    // No step costs more than a thousand members that are looked for, or one large text or object.
    for (const { spent, pauses } of costs) expect(spent / pauses).toBeLessThanOrEqual(1_100);
  });

  it('is bounded: an input beyond the budget is reported as not checked', () => {
    const { steps } = contractLimits;
    const rules = ofEntries({ properties });
    // A step for the list, and for each entry one and one for each property.
    const most = Math.floor((steps - 1) / 999);
    expect(costOf(contractOf(rules), list(most, {})).findings.ok).toBe(true);
    const { findings, spent } = costOf(contractOf(rules), list(most + 1, {}));
    expect(findings.failed).toEqual([
      {
        input: 'brief',
        path: brief,
        rule: 'steps',
        detail: 'not checked: all inputs together take more than 5000000 steps',
      },
    ]);
    expect(spent).toBeLessThanOrEqual(steps + 1_000);
  });

  it('leaves the rest of the budget to the next check', () => {
    const budget = checkBudget();
    budget.spend(contractLimits.steps - 10);
    const checkOf = (length: number) =>
      findingsOf(contractOf({ schema: { items: {} } }), () => ({ value: list(length, 1) }), budget);
    expect(checkOf(5).ok).toBe(true);
    expect(checkOf(5).failed).toMatchObject([{ rule: 'steps' }]);
  });
});
