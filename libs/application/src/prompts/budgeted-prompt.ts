import { type Tokenizer, countOnce, templateLimits } from '#context-views';

import { unitsOf } from '../token-counting/units-of.js';
import { BudgetTooSmallError } from '../views/view.messages.js';
import { PromptTooLongError } from './prompt.messages.js';

/** A prompt in the making: its text with a view in it, how often the view is in it, and views within budgets. */
export type PromptDraft = Readonly<{
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
const maxTries = 4;
/** Views of so many characters together fit into a prompt that is not nearly full without them. */
const longestViews = templateLimits.outputLength / 2;
/** More than what a fence takes beside its backticks. */
const labelLength = 64;
/** Characters of a view that need not be made shorter. */
const minimumView = 4_096;

/**
 * A prompt within its budget: where it holds the view, that is made smaller until the prompt fits. Throws
 * {@link PromptTooLongError} with the least budget that would do, as far as it is known. What tries have in common is
 * counted once.
 */
export async function promptWithin(asked: PromptDraft): Promise<Prompt> {
  const budgeted = { ...asked, tokenizer: countOnce(asked.tokenizer) };
  const { maxTokens, timesViewed, textWith } = budgeted;
  if (timesViewed === 0) return fitting(budgeted, await counted(budgeted, textWith(undefined)));
  let prompt = await counted(budgeted, textWith(await shortView(budgeted)));
  if (maxTokens === undefined || prompt.tokens <= maxTokens) return prompt;
  const { tokens: rest } = await counted(budgeted, textWith(undefined));
  let share = Math.floor((maxTokens - rest) / timesViewed);
  for (let tries = 0; tries < maxTries && prompt.tokens > maxTokens; tries++) {
    prompt = await counted(
      budgeted,
      textWith(await viewOrRefusal(budgeted, Math.max(1, share), rest)),
    );
    share -= Math.max(1, Math.ceil((prompt.tokens - maxTokens) / timesViewed));
  }
  return fitting(budgeted, prompt);
}

/** The context's own view, or one of fewer tokens if no prompt can hold its characters: a token may have hundreds. */
async function shortView(budgeted: PromptDraft): Promise<string> {
  const { timesViewed, textWith, viewWithin } = budgeted;
  let view = await viewWithin(undefined);
  if (fencedLength(view) * timesViewed <= longestViews) return view;
  const left = templateLimits.outputLength - textWith(undefined).length;
  const room = Math.max(left / timesViewed, minimumView);
  while (fencedLength(view) > room) {
    const { tokens } = await counted(budgeted, view);
    view = await viewWithin(Math.floor(tokens / 2));
  }
  return view;
}

/** At most: a fence is longer than any run of backticks in what it holds. */
function fencedLength(view: string): number {
  let longest = 0;
  for (const [run] of view.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return view.length + 2 * longest + labelLength;
}

async function viewOrRefusal(
  { maxTokens = 0, timesViewed, viewWithin }: PromptDraft,
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

function fitting({ maxTokens }: PromptDraft, prompt: Prompt): Prompt {
  if (maxTokens !== undefined && prompt.tokens > maxTokens)
    throw new PromptTooLongError(prompt.tokens, maxTokens);
  return prompt;
}

async function counted({ tokenizer, signal }: PromptDraft, text: string): Promise<Prompt> {
  return { text, tokens: tokenizer.tokensOf(await unitsOf(tokenizer, text, signal)) };
}
