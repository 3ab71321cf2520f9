import { Link } from '../../navigation/link.js';
import { AgentText } from '../../ui/agent-text.js';
import { counted } from '../../ui/counted.js';
import { Time } from '../../ui/time.js';
import { PartitionTable } from './partition-table.js';
import { type Projection, lagText } from './projection.js';
import { RebuildButton } from './rebuild-button.js';

type ProjectionCardProps = Readonly<{ projection: Projection; isRebuilt: boolean }>;

/** The state of a projection, its lag, and its partitions. `isRebuilt`: whether a rebuild of it runs now. */
export function ProjectionCard({ projection, isRebuilt }: ProjectionCardProps) {
  const { name, version, state, reason, deadLetters, rebuiltAt, partitions } = projection;
  return (
    <section className="projection" aria-label={`Projection ${name}`}>
      <h2>
        <AgentText text={name} /> <span className={`badge ${state}`}>{state}</span>
      </h2>
      <p>
        <AgentText text={reason} />
      </p>
      <p>
        {lagText(projection)}.{' '}
        {deadLetters > 0 && (
          <Link to="/operations/dead-letters">{counted(deadLetters, 'dead letter')}</Link>
        )}
      </p>
      <p className="muted">
        version {version}
        {rebuiltAt !== null && (
          <>
            , rebuilt <Time at={rebuiltAt} />
          </>
        )}
      </p>
      <RebuildButton name={name} isRebuilt={isRebuilt} />
      <PartitionTable name={name} partitions={partitions} />
    </section>
  );
}
