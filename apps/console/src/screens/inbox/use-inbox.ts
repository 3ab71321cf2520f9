import { apiPath } from '../../api/client.js';
import { useApiPages } from '../../api/use-api.js';
import { useCurrentList } from '../../api/use-current-list.js';
import { useLive } from '../../api/use-live.js';
import { type SignedInPrincipal, followsWorkspace } from '../../session/me.js';
import { type Approval, type InboxItem, type Work, workOfAgent, workOfPeople } from './work.js';

const pageSize = 100;

/**
 * The inbox of every agent includes the work of people, if a person reads it. This name is used to read only that
 * work; the work that is addressed to an agent of this name is left out.
 */
const anyAgent = 'people';

/** The work of an agent or, without an agent, of people. `missing`: a list that has not been read yet. */
export function useInbox(me: SignedInPrincipal, agent: string | undefined) {
  const isForPeople = agent === undefined;
  const limit = pageSize;
  const items = useApiPages<InboxItem>(apiPath('agents', agent ?? anyAgent, 'inbox'), { limit });
  const approvals = useApiPages<Approval>(isForPeople ? '/v1/approvals' : undefined, { limit });
  useCurrentList(items);
  useCurrentList(approvals);
  useLive(followsWorkspace(me) ? '/v1/stream' : undefined, {
    query: { after: 'head' },
    changes: ['/v1/approvals', '/v1/agents'],
  });
  const lists = isForPeople ? [approvals, items] : [items];
  return {
    missing: lists.find(({ data }) => !data),
    work: workIn(isForPeople, approvals.data?.pages, items.data?.pages),
    fetchMore: moreOf(lists),
  };
}

/** Reads the next page of the first list that has one. */
function moreOf(
  lists: readonly Readonly<{ hasNextPage: boolean; fetchNextPage: () => Promise<unknown> }>[],
): (() => void) | undefined {
  const list = lists.find(({ hasNextPage }) => hasNextPage);
  return list && (() => void list.fetchNextPage());
}

type Pages<Item> = readonly Readonly<{ items: readonly Item[] }>[] | undefined;

function workIn(
  isForPeople: boolean,
  approvals: Pages<Approval> = [],
  items: Pages<InboxItem> = [],
): readonly Work[] {
  const all = items.flatMap((page) => page.items);
  if (!isForPeople) return workOfAgent(all);
  return workOfPeople(
    approvals.flatMap((page) => page.items),
    all,
  );
}
