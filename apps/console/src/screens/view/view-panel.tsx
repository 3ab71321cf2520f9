import { type UseQueryResult } from '@tanstack/react-query';

import { type ApiResponse } from '../../api/client.js';
import { AgentText } from '../../ui/agent-text.js';
import { Loading } from '../../ui/states.js';
import { type View, type ViewItem, onlyIn, shorteningOf } from './view-item.js';
import { ViewItems } from './view-items.js';
import { type ViewQuestion } from './view-question.js';

type ViewPanelProps = Readonly<{
  contextId: string;
  asOf: number | undefined;
  question: ViewQuestion;
  answer: UseQueryResult<ApiResponse<View>>;
  heading: string;
  /** The tokens of the longest bar. */
  most: number;
  /** The items of the view beside this one. */
  others?: readonly ViewItem[] | undefined;
}>;

/** One view: its size, a bar for each entry, and its text. */
export function ViewPanel({ answer, heading, others, ...props }: ViewPanelProps) {
  if (!answer.data || answer.isError)
    return (
      <section aria-label={heading}>
        <h2>{heading}</h2>
        <Loading of={answer} />
      </section>
    );
  const view = answer.data.body;
  return (
    <section aria-label={heading} aria-busy={answer.isPlaceholderData}>
      <h2>
        {heading}: <AgentText text={view.audience} />
      </h2>
      <Size view={view} />
      <p>{shorteningOf(view)}</p>
      <ViewItems {...props} items={view.items} only={onlyIn(view.items, others)} />
      <h3>Text of the view</h3>
      <AgentText text={view.text} block />
    </section>
  );
}

function Size({ view }: Readonly<{ view: View }>) {
  const { tokens, maxTokens, tokenizer, version, stablePrefixTokens, notes = [] } = view;
  return (
    <>
      <p>
        <strong>
          {tokens} of {maxTokens} tokens
        </strong>
        , counted by {tokenizer}, at version {version}
      </p>
      <meter min={0} max={maxTokens} value={tokens} aria-label="Used part of the budget" />
      {stablePrefixTokens > 0 && (
        <p className="muted">
          The first {stablePrefixTokens} tokens are the same as in the view of the version before,
          so a prompt cache can reuse them.
        </p>
      )}
      {notes.map((note) => (
        <p key={note} className="muted">
          <AgentText text={note} />
        </p>
      ))}
    </>
  );
}
