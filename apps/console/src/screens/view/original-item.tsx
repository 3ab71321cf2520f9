import { apiPath } from '../../api/client.js';
import { useApi } from '../../api/use-api.js';
import { AgentText } from '../../ui/agent-text.js';
import { Loading } from '../../ui/states.js';
import { type ViewQuestion, itemQuery } from './view-question.js';

type Original = Readonly<{ ref: string; text: string; tokens: number }>;
/** An item, or a page of the items of a roll-up. */
type Answer =
  | (Original & Readonly<{ form: 'whole' }>)
  | Readonly<{ form: 'rollup'; items: readonly Original[]; nextCursor: string | null }>;

/** Items of a roll-up that are shown. */
const pageSize = 50;

type OriginalItemProps = Readonly<{
  contextId: string;
  asOf: number | undefined;
  question: ViewQuestion;
  itemRef: string;
}>;

/** The original of an entry, or of all entries of a roll-up. */
export function OriginalItem({ contextId, asOf, question, itemRef }: OriginalItemProps) {
  const path = apiPath('contexts', contextId, 'items', itemRef);
  const original = useApi<Answer>(path, {
    ...itemQuery(question, asOf),
    ...(itemRef.startsWith('rollup:') && { limit: pageSize }),
  });
  if (!original.data || original.isError) return <Loading of={original} />;
  const answer = original.data.body;
  const items = answer.form === 'whole' ? [answer] : answer.items;
  return (
    <div className="original">
      {items.map(({ ref, tokens, text }) => (
        <div key={ref}>
          {answer.form === 'rollup' && (
            <p className="muted">
              <AgentText text={ref} />, {tokens} tokens
            </p>
          )}
          <AgentText text={text} block />
        </div>
      ))}
      {answer.form === 'rollup' && answer.nextCursor !== null && (
        <p className="muted">The roll-up covers more entries. The document has all of them.</p>
      )}
    </div>
  );
}
