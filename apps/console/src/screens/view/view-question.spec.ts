import {
  comparedQuestion,
  comparisonIn,
  firstComparison,
  questionIn,
  viewQuery,
} from './view-question.js';

const question = (address: string) => questionIn(new URLSearchParams(address));
const comparison = (address: string) => comparisonIn(new URLSearchParams(address));

describe('the question of a view', () => {
  it('sends a subject only with the focus rework', () => {
    expect(viewQuery(question('focus=rework&subject=build'), 3)).toMatchObject({
      focus: 'rework',
      subject: 'build',
      asOf: 3,
    });
    expect(viewQuery(question('focus=handover&subject=build'), undefined)).toMatchObject({
      focus: 'handover',
      subject: undefined,
    });
  });

  it('is compared with another audience, another budget, or both', () => {
    const first = question('audience=all&maxTokens=500&tokenizer=chars4');
    const second = (address: string) =>
      comparedQuestion(first, comparison(address) ?? { audience: '', maxTokens: '' });
    expect(second('compare=reviewer')).toEqual({ ...first, audience: 'reviewer' });
    expect(second('compareTokens=900')).toEqual({ ...first, maxTokens: '900' });
    expect(second('compare=reviewer&compareTokens=9')).toEqual({
      ...first,
      audience: 'reviewer',
      maxTokens: '9',
    });
  });

  it.each<[string, readonly string[], object]>([
    ['', ['all', 'developer'], { audience: 'developer', maxTokens: '' }],
    ['developer', ['all', 'developer'], { audience: 'all', maxTokens: '' }],
    ['', ['reviewer'], { audience: '', maxTokens: '1000' }],
  ])('for "%s" of %j is first compared with %j', (audience, audiences, expected) => {
    expect(firstComparison({ audience }, audiences)).toEqual(expected);
  });

  it('is compared with nothing by default', () => {
    expect(comparison('audience=all&compare=')).toBeUndefined();
  });
});
