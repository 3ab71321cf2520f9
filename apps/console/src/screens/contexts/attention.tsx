import { useApi } from '../../api/use-api.js';
import { Link } from '../../navigation/link.js';
import { consolePath } from '../../navigation/location.js';
import { isPerson, useMe } from '../../session/me.js';
import { AgentText } from '../../ui/agent-text.js';

type Approval = Readonly<{
  approvalId: string;
  contextId: string;
  stepId: string;
  message: string;
}>;
type ListedRun = Readonly<{ contextId: string; runId: string; status: string }>;

/** Approvals and runs that are listed here; the inbox and the runs have all of them. */
const maxListed = 5;

/** What waits for a person: approvals and failed runs. Nothing is shown if nothing waits. */
export function Attention() {
  const me = useMe();
  const approvals = useApi<Readonly<{ items: readonly Approval[] }>>(
    isPerson(me) ? '/v1/approvals' : undefined,
    { limit: maxListed },
  );
  const failed = useApi<Readonly<{ items: readonly ListedRun[] }>>('/v1/runs', {
    state: 'failed',
    limit: maxListed,
  });
  const waiting = approvals.data?.body.items ?? [];
  const failures = failed.data?.body.items ?? [];
  if (waiting.length + failures.length === 0) return null;
  return (
    <section className="attention" aria-label="Needs attention">
      <h2>Needs attention</h2>
      <ul>
        {waiting.map(({ approvalId, contextId, message }) => (
          <li key={approvalId}>
            <Link to="/inbox">Approve</Link> in{' '}
            <Link to={consolePath('contexts', contextId)}>
              <AgentText text={contextId} />
            </Link>
            : <AgentText text={message} />
          </li>
        ))}
        {failures.map(({ contextId, runId }) => (
          <li key={runId}>
            The run in{' '}
            <Link to={consolePath('contexts', contextId, 'run')}>
              <AgentText text={contextId} />
            </Link>{' '}
            failed
          </li>
        ))}
      </ul>
    </section>
  );
}
