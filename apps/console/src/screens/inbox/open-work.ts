import { apiPath } from '../../api/client.js';
import { useApi } from '../../api/use-api.js';
import { type Handover, type InputRequest, type Work } from './work.js';

/** The work of agents in the document of a context. */
type OpenWork = Readonly<{
  contextId: string;
  title: string | null;
  handoverNotes: readonly (Handover & WorkState)[];
  inputRequests: readonly (InputRequest & WorkState)[];
}>;

type WorkState = Readonly<{ status: string; priority?: string }>;

/** Open handovers and input requests of all agents in a context. */
function workOfContext(work: OpenWork): readonly Work[] {
  const { contextId, title, handoverNotes, inputRequests } = work;
  const isOpen = ({ status }: WorkState) => status === 'open';
  const shared = ({ priority = null }: Readonly<{ priority?: string | null }>) => ({
    contextId,
    title,
    priority,
  });
  return [
    ...handoverNotes
      .filter(isOpen)
      .map((entry): Work => ({ ...shared(entry), kind: 'handover', entry })),
    ...inputRequests
      .filter(isOpen)
      .map((entry): Work => ({ ...shared(entry), kind: 'input-request', entry })),
  ];
}

/** The open handovers and input requests of a context, its path, and the request for them. Undefined reads nothing. */
export function useOpenWork(contextId: string | undefined) {
  const path = contextId === undefined ? undefined : apiPath('contexts', contextId);
  const request = useApi<OpenWork>(path, { parts: ['title', 'handoverNotes', 'inputRequests'] });
  if (path === undefined) return { paths: [], requests: [], work: [] };
  const work = request.data ? workOfContext(request.data.body) : [];
  return { paths: [path], requests: [request], work };
}
