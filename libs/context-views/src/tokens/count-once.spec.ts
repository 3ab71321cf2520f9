import fc from 'fast-check';

import { countOnce } from './count-once.js';
import { type Tokenizer, tokenizerNames, tokenizerOf } from './tokenizer.js';

function unitsOf(tokenizer: Tokenizer, text: string): number {
  const steps = tokenizer.unitsInSteps(text);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** A tokenizer, and a count of the characters that it was called with. */
function countingTokenizer(tokenizer: Tokenizer) {
  let characters = 0;
  const unitsInSteps = (text: string) => {
    characters += text.length;
    return tokenizer.unitsInSteps(text);
  };
  return { tokenizer: { ...tokenizer, unitsInSteps }, characters: () => characters };
}

describe('counting texts with common parts', () => {
  it.each(tokenizerNames)('gives the same counts as counting each text alone: %s', (name) => {
    const once = countOnce(tokenizerOf(name));
    const piece = fc.oneof(
      fc.constantFrom(
        '\n',
        '`',
        '```',
        '\n```',
        '\n`',
        '/',
        ' ',
        'x',
        'ü',
        '\r\n',
        '\u00a0',
        '1234',
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
    );
    const texts = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        expect(unitsOf(once, text)).toBe(tokenizerOf(name).unitsOf(text));
      }),
      { numRuns: 500 },
    );
  });

  it('counts the text between two fences once, even if it occurs in several texts', () => {
    const { tokenizer, characters } = countingTokenizer(tokenizerOf('o200k_base'));
    const once = countOnce(tokenizer);
    const before = 'What was said before.\n'.repeat(500);
    const behind = '```\nWhat is said behind.\n'.repeat(500);
    const views = ['short', 'longer than that', 'the longest of them all'];
    for (const view of views) unitsOf(once, `${before}\`\`\`text\n${view}\n${behind}`);
    const fences = views.map((view) => `\`\`\`text\n${view}\n`).join('');
    expect(characters()).toBe(before.length + fences.length + '```\nWhat is said behind.\n'.length);
  });

  it('pauses however short the parts are', () => {
    const steps = countOnce(tokenizerOf('o200k_base')).unitsInSteps('\n`'.repeat(100_000));
    let pauses = 0;
    for (let step = steps.next(); !step.done; step = steps.next()) pauses += 1;
    expect(pauses).toBeGreaterThanOrEqual(6);
  });
});
