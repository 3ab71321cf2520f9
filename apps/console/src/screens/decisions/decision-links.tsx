import { Link } from '../../navigation/link.js';
import { consolePath } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';

/** A link to what the author of a decision knew, labeled with the id of the decision. */
export function DecisionLink({
  contextId,
  decisionId,
}: Readonly<{ contextId: string; decisionId: string }>) {
  return (
    <Link
      to={consolePath('contexts', contextId, 'knowledge')}
      parameters={{ decision: decisionId }}
    >
      <AgentText text={decisionId} />
    </Link>
  );
}

/** A link to an event of the timeline by its version. */
export function EventLink({
  contextId,
  version,
}: Readonly<{ contextId: string; version: number }>) {
  return (
    <Link to={consolePath('contexts', contextId)} parameters={{ event: version }}>
      v{version}
    </Link>
  );
}
