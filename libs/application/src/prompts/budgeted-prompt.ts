import { type Tokenizer, countOnce } from '#context-views';

import { unitsOf } from '../context-summary/units-of.js';
import { BudgetTooSmallError } from '../views/view.messages.js';
import { PromptTooLongError } from './prompt.messages.js';

/** A prompt in the making: its text with a view in it, how often the view is in it, and views within budgets. */
export type Budgeted = Readonly<{
  tokenizer: Tokenizer;
  /** Undefined for as many as it takes. */
  maxTokens: number | undefined;
  timesViewed: number;
  textWith: (view: string | undefined) => string;
  /** Undefined for the budget that views have of their own. Throws {@link BudgetTooSmallError}. */
  viewWithin: (maxTokens: number | undefined) => Promise<string>;
  signal?: AbortSignal | undefined;
}>;

export type Prompt = Readonly<{ text: string; tokens: number }>;

/** The view has what the rest leaves; what is around it costs no more than this. */
const mostTries = 4;

/**
 * A prompt within its budget: where it holds the view, that is made smaller until the prompt fits. Throws
 * {@link PromptTooLongError} with the least budget that would do, as far as it is known. What tries have in common is
 * counted once.
 */
export async function promptWithin(asked: Budgeted): Promise<Prompt> {
  const budgeted = { ...asked, tokenizer: countOnce(asked.tokenizer) };
  const { maxTokens, timesViewed, textWith, viewWithin } = budgeted;
  if (timesViewed === 0) return fitting(budgeted, await counted(budgeted, textWith(undefined)));
  let prompt = await counted(budgeted, textWith(await viewWithin(undefined)));
  if (maxTokens === undefined || prompt.tokens <= maxTokens) return prompt;
  const { tokens: rest } = await counted(budgeted, textWith(undefined));
  let share = Math.floor((maxTokens - rest) / timesViewed);
  for (let tries = 0; tries < mostTries && prompt.tokens > maxTokens; tries++) {
    prompt = await counted(
      budgeted,
      textWith(await viewOrRefusal(budgeted, Math.max(1, share), rest)),
    );
    share -= Math.max(1, Math.ceil((prompt.tokens - maxTokens) / timesViewed));
  }
  return fitting(budgeted, prompt);
}

async function viewOrRefusal(
  { maxTokens = 0, timesViewed, viewWithin }: Budgeted,
  share: number,
  rest: number,
): Promise<string> {
  try {
    return await viewWithin(share);
  } catch (error) {
    if (!(error instanceof BudgetTooSmallError)) throw error;
    throw new PromptTooLongError(rest + error.minimumTokens * timesViewed, maxTokens);
  }
}

function fitting({ maxTokens }: Budgeted, prompt: Prompt): Prompt {
  if (maxTokens !== undefined && prompt.tokens > maxTokens)
    throw new PromptTooLongError(prompt.tokens, maxTokens);
  return prompt;
}

async function counted({ tokenizer, signal }: Budgeted, text: string): Promise<Prompt> {
  return { text, tokens: tokenizer.tokensOf(await unitsOf(tokenizer, text, signal)) };
}
