import { apiPath } from '../../api/client.js';
import { useApiPages } from '../../api/use-api.js';
import { useCurrentList } from '../../api/use-current-list.js';
import { useLive } from '../../api/use-live.js';
import { type SignedInPrincipal, followsWorkspace } from '../../session/me.js';
import { useOpenWork } from './open-work.js';
import { type Approval, type InboxItem, type Work, workOfAgent, workOfPeople } from './work.js';

const pageSize = 100;

/**
 * The inbox of every agent includes the work of people, if a person reads it. This name is used to read only that
 * work; the work that is addressed to an agent of this name is left out.
 */
const anyAgent = 'people';

/** `agent`: whose work; without it, the work of people. `contextId`: only the work in this context. */
export type InboxFilter = Readonly<{ agent: string | undefined; contextId: string | undefined }>;

/**
 * The work that matches a filter. `missing`: a request that has not been answered yet. Without an agent, the work in one context includes
 * that of agents, since a person may do it in their place.
 */
export function useInbox(me: SignedInPrincipal, { agent, contextId }: InboxFilter) {
  const isForPeople = agent === undefined;
  const query = { contextId, limit: pageSize };
  const items = useApiPages<InboxItem>(apiPath('agents', agent ?? anyAgent, 'inbox'), query);
  const approvals = useApiPages<Approval>(isForPeople ? '/v1/approvals' : undefined, query);
  const openWork = useOpenWork(isForPeople ? contextId : undefined);
  useCurrentList(items);
  useCurrentList(approvals);
  useLive(followsWorkspace(me) ? '/v1/stream' : undefined, {
    query: { after: 'head' },
    changes: ['/v1/approvals', '/v1/agents', ...openWork.paths],
  });
  const lists = isForPeople ? [approvals, items] : [items];
  return {
    missing: [...lists, ...openWork.requests].find(({ data }) => !data),
    work: [...workIn(isForPeople, approvals.data?.pages, items.data?.pages), ...openWork.work],
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
