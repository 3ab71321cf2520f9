import { tokenizerOf } from '#context-views';

import { BudgetTooSmallError } from '../views/view.messages.js';
import { type PromptDraft, promptWithin } from './budgeted-prompt.js';
import { PromptTooLongError } from './prompt.messages.js';

const minimumView = 10;

/**
 * A draft of a prompt of 40 tokens and its views. A view takes exactly its budget, which must be at least
 * {@link minimumView}.
 */
function budgeted(maxTokens: number | undefined, timesViewed: number, around = ''): PromptDraft {
  return {
    tokenizer: tokenizerOf('chars4'),
    maxTokens,
    timesViewed,
    textWith: (view = '') => 'x'.repeat(160) + `${view}${around}`.repeat(timesViewed),
    viewWithin: async (tokens = 1_000) => {
      if (tokens < minimumView) throw new BudgetTooSmallError(minimumView, tokens);
      return 'v'.repeat(tokens * 4);
    },
  };
}

async function tokensOf(budgeted: PromptDraft): Promise<number> {
  return (await promptWithin(budgeted)).tokens;
}

async function refusal(budgeted: PromptDraft): Promise<unknown> {
  const refused = await promptWithin(budgeted).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(PromptTooLongError);
  return refused instanceof PromptTooLongError ? refused.details['minimumTokens'] : undefined;
}

describe('a prompt within a budget', () => {
  it('is refused, not cut, if it contains no view', async () => {
    expect(await tokensOf(budgeted(40, 0))).toBe(40);
    expect(await tokensOf(budgeted(undefined, 0))).toBe(40);
    expect(await refusal(budgeted(39, 0))).toBe(40);
  });

  it('contains the view with its default budget if that fits', async () => {
    expect(await tokensOf(budgeted(undefined, 1))).toBe(1_040);
    expect(await tokensOf(budgeted(1_040, 1))).toBe(1_040);
  });

  it('gives its views the tokens that the rest of it leaves', async () => {
    expect(await tokensOf(budgeted(100, 1))).toBe(100);
    expect(await tokensOf(budgeted(101, 2))).toBe(100);
    expect(await tokensOf(budgeted(50, 1))).toBe(50);
  });

  it('counts the text around a view', async () => {
    const tokens = await tokensOf(budgeted(100, 1, 'fence'.repeat(4)));
    expect(tokens).toBeLessThanOrEqual(100);
    expect(tokens).toBeGreaterThan(90);
  });

  it('reports the necessary tokens if not even the smallest view fits', async () => {
    expect(await refusal(budgeted(49, 1))).toBe(50);
    expect(await refusal(budgeted(30, 1))).toBe(50);
    expect(await refusal(budgeted(59, 2))).toBe(60);
  });

  it('contains a smaller view if the default one has more characters than a prompt may have', async () => {
    const long = 64;
    const budgets: (number | undefined)[] = [];
    const { text } = await promptWithin({
      ...budgeted(undefined, 2),
      tokenizer: { ...tokenizerOf('chars4'), tokensOf: (units) => Math.ceil(units / long) },
      viewWithin: async (tokens = 50_000) => {
        budgets.push(tokens);
        return 'v'.repeat(tokens * long);
      },
    });
    expect(budgets).toEqual([50_000, 25_000, 12_500, 6_250]);
    expect(text.length).toBeLessThanOrEqual(1_048_576);
  });

  it('counts text that its tries have in common only once', async () => {
    const rest = 'Some words, and then more of them.\n'.repeat(200);
    const counted = async (maxTokens: number | undefined) => {
      let characters = 0;
      const chars4 = tokenizerOf('chars4');
      const unitsInSteps = (text: string) => {
        characters += text.length;
        return chars4.unitsInSteps(text);
      };
      const { tokens } = await promptWithin({
        ...budgeted(maxTokens, 1),
        tokenizer: { ...chars4, unitsInSteps },
        textWith: (view = '') => `${rest}\`\`\`text\n${view}\n\`\`\`\n${rest}`,
      });
      return { characters, tokens };
    };
    const one = await counted(undefined);
    expect(Math.ceil(one.characters / 4)).toBe(one.tokens);
    const several = await counted(Math.ceil(rest.length / 2) + 100);
    // Three tries count their fences: with the default view, without a view, and with the remaining budget.
    expect(several.characters).toBeLessThan(one.characters + 4_000);
  });
});
