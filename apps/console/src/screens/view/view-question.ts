import { type Query } from '../../api/client.js';

/** Parameters of a view that the address contains; an empty one has the default of the server. */
const names = [
  'audience',
  'maxTokens',
  'focus',
  'subject',
  'agent',
  'tokenizer',
  'overflow',
] as const;

export type ViewQuestion = Readonly<Record<(typeof names)[number], string>>;

/** The parameters in which the second of two views differs from the first. */
export type Comparison = Readonly<{ audience: string; maxTokens: string }>;

export function questionIn(parameters: URLSearchParams): ViewQuestion {
  const entries = names.map((name) => [name, parameters.get(name) ?? ''] as const);
  return Object.fromEntries(entries) as ViewQuestion;
}

/** The second view if the address has one: `compare` is its audience, `compareTokens` its budget. */
export function comparisonIn(parameters: URLSearchParams): Comparison | undefined {
  const audience = parameters.get('compare') ?? '';
  const maxTokens = parameters.get('compareTokens') ?? '';
  return audience === '' && maxTokens === '' ? undefined : { audience, maxTokens };
}

/** A budget that shortens most contexts. */
const smallBudget = '1000';

/** The second view that is shown first: another audience of the key or, if it has none, a small budget. */
export function firstComparison(
  { audience }: Pick<ViewQuestion, 'audience'>,
  audiences: readonly string[],
): Comparison {
  const [first] = audiences;
  const other = audiences.find((one) => one !== (audience === '' ? first : audience));
  return other === undefined
    ? { audience: '', maxTokens: smallBudget }
    : { audience: other, maxTokens: '' };
}

/** The same question for the other audience, the other budget, or both. */
export function comparedQuestion(
  question: ViewQuestion,
  { audience, maxTokens }: Comparison,
): ViewQuestion {
  return {
    ...question,
    ...(audience !== '' && { audience }),
    ...(maxTokens !== '' && { maxTokens }),
  };
}

/** The query of `GET .../view`. A subject belongs to the focus `rework` only. */
export function viewQuery(question: ViewQuestion, asOf: number | undefined): Query {
  const subject = question.focus === 'rework' ? question.subject : undefined;
  return { ...question, subject, asOf };
}

/** The query of an item of a view: its reader, its version and the tokenizer. */
export function itemQuery(
  { audience, agent, tokenizer }: ViewQuestion,
  asOf: number | undefined,
): Query {
  return { audience, agent, tokenizer, asOf };
}
