import { type Extent } from '../../api/policy.js';
import { cellOfPart, cellOfType, partsOf } from './visibility-cells.js';

const ofType = (record: Extent, working: Extent, withheld: readonly string[] = []) =>
  cellOfType({ type: 'DecisionRecorded', record, working, withheld });

describe('what an audience sees of a type of events', () => {
  it.each<[Extent, Extent, string]>([
    ['all', 'all', 'everything'],
    ['none', 'none', 'nothing'],
    ['all', 'none', 'the record'],
    ['some', 'none', 'some of the record'],
    ['some', 'some', 'some of the record, some working notes'],
    ['none', 'all', 'working notes'],
  ])('with %s of the record and %s of the working notes is "%s"', (record, working, words) => {
    expect(ofType(record, working).words).toBe(words);
  });

  it('is only partial if members are withheld', () => {
    expect(ofType('all', 'all', ['tradeOffs'])).toEqual({
      extent: 'some',
      words: 'everything, without trade offs',
    });
  });
});

describe('what an audience sees of a part of a document', () => {
  const decisions = [
    { decisionId: 'a', rationale: 'r' },
    { decisionId: 'b', rationale: 's' },
  ];
  it.each<[string, unknown, unknown]>([
    ['everything', decisions, decisions],
    ['nothing', [], decisions],
    ['nothing', null, 'a title'],
    ['nothing', { lists: [] }, { lists: [1] }],
    ['1 of 2', decisions.slice(0, 1), decisions],
    ['without rationale', [{ decisionId: 'a' }, { decisionId: 'b' }], decisions],
    ['1 of 2, without rationale', [{ decisionId: 'a' }], decisions],
    ['other content', { status: 'not_started' }, { status: 'failed' }],
    ['1 of 2', { a: 1 }, { a: 1, b: 2 }],
  ])('is "%s" for %j of %j', (words, part, whole) => {
    expect(cellOfPart(part, whole).words).toBe(words);
  });
});

describe('the parts of a document', () => {
  it('have content, and do not only identify the document', () => {
    const document = {
      contextId: 'a',
      _version: 2,
      title: 't',
      risks: [],
      run: null,
      plan: { a: [] },
    };
    expect(partsOf(document)).toEqual(['title']);
  });
});
