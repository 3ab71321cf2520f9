import { useApiPages } from '../../api/use-api.js';
import { useCurrentList } from '../../api/use-current-list.js';
import { useLive } from '../../api/use-live.js';
import { Link } from '../../navigation/link.js';
import { consolePath } from '../../navigation/location.js';
import {
  type SignedInPrincipal,
  followsWorkspace,
  seesEverything,
  useMe,
} from '../../session/me.js';
import { AgentText } from '../../ui/agent-text.js';
import { type AttentionReason, reasonLabels, screenOf } from './attention-reasons.js';
import { type ContextRow } from './context-row.js';

type AttentionRow = ContextRow & Readonly<{ attention: readonly AttentionReason[] }>;

const pageSize = 10;
/** Milliseconds between two reads while events arrive: a read examines up to 2,000 contexts. */
const refreshMs = 2_000;

/** Open contexts that need a person, with a link to the screen for each reason. Nothing is shown if there are none. */
export function Attention() {
  const me = useMe();
  return seesEverything(me) ? <AttentionList me={me} /> : null;
}

function AttentionList({ me }: Readonly<{ me: SignedInPrincipal }>) {
  const list = useApiPages<AttentionRow>('/v1/contexts', { attention: 'any', limit: pageSize });
  useCurrentList(list, refreshMs);
  useLive(followsWorkspace(me) ? '/v1/stream' : undefined, {
    query: { after: 'head' },
    changes: ['/v1/contexts'],
    collectMs: refreshMs,
  });
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  if (rows.length === 0 && !list.hasNextPage) return null;
  return (
    <section className="attention" aria-label="Needs attention">
      <h2>Needs attention</h2>
      <ul>
        {rows.map((row) => (
          <li key={row.contextId}>
            <Entry row={row} />
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <button
          type="button"
          disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Look for more
        </button>
      )}
    </section>
  );
}

function Entry({ row }: Readonly<{ row: AttentionRow }>) {
  const { contextId, title, attention } = row;
  return (
    <>
      <Link to={consolePath('contexts', contextId)}>
        <AgentText text={title ?? contextId} />
      </Link>{' '}
      {attention.map((reason) => (
        <span key={reason} className="badge attention">
          <Link {...screenOf(reason, contextId)}>{reasonLabels[reason]}</Link>
        </span>
      ))}
    </>
  );
}
