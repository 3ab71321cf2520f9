import { type Tokenizer, countOnce, templateLimits } from '#context-views';

import { unitsOf } from '../token-counting/units-of.js';
import { BudgetTooSmallError } from '../views/view.messages.js';
import { PromptTooLongError } from './prompt.messages.js';

/**
 * A draft of a prompt: its text with a given view, the number of times that it contains the view, and views within
 * budgets.
 */
export type PromptDraft = Readonly<{
  tokenizer: Tokenizer;
  /** Undefined for no limit. */
  maxTokens: number | undefined;
  timesViewed: number;
  textWith: (view: string | undefined) => string;
  /** `maxTokens`: undefined for the default budget of views. Throws {@link BudgetTooSmallError}. */
  viewWithin: (maxTokens: number | undefined) => Promise<string>;
  signal?: AbortSignal | undefined;
}>;

export type Prompt = Readonly<{ text: string; tokens: number }>;

/** The maximum number of smaller views that are tried, to account for the tokens around a view. */
const maxTries = 4;
/** Views with at most this many characters in total fit into a prompt that is not nearly full without them. */
const longestViews = templateLimits.outputLength / 2;
/** An upper bound of the length of a fence without its backticks. */
const labelLength = 64;
/** A view of at most this many characters is not made smaller. */
const minimumView = 4_096;

/**
 * Renders a prompt within its budget: its view is made smaller until the prompt fits. Throws {@link PromptTooLongError}
 * with the smallest possible budget, as far as it is known. Text that the tries have in common is counted once.
 */
export async function promptWithin(draft: PromptDraft): Promise<Prompt> {
  const budgeted = { ...draft, tokenizer: countOnce(draft.tokenizer) };
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

/**
 * The default view of the context, or one of fewer tokens if no prompt can hold its characters: a token may have
 * hundreds.
 */
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

/** An upper bound: a fence is longer than any run of backticks in its content. */
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
