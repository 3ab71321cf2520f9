import { Link } from '../../navigation/link.js';
import { consolePath } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { useOrigin } from './use-origin.js';

type RelativesProps = Readonly<{
  contextId: string;
  parent: string | null;
  /** The context whose open handovers this one took over. */
  continues: string | null;
}>;

/** Links to the contexts that a context comes from: the source of a fork, its parent, and the one that it continues. */
export function Relatives({ contextId, parent, continues }: RelativesProps) {
  const source = useOrigin(contextId).origin?.source;
  if (!source && parent === null && continues === null) return null;
  return (
    <ul className="relatives muted">
      {source && (
        <li>
          fork of <ContextLink contextId={source.contextId} at={source.version} /> at version{' '}
          {source.version}
        </li>
      )}
      {parent !== null && (
        <li>
          part of <ContextLink contextId={parent} />
        </li>
      )}
      {continues !== null && (
        <li>
          continues <ContextLink contextId={continues} />
        </li>
      )}
    </ul>
  );
}

function ContextLink({ contextId, at }: Readonly<{ contextId: string; at?: number }>) {
  return (
    <Link to={consolePath('contexts', contextId)} parameters={{ at }}>
      <AgentText text={contextId} />
    </Link>
  );
}
