import { AgentText } from '../../ui/agent-text.js';
import { Time } from '../../ui/time.js';
import { type Partition } from './projection.js';

type PartitionTableProps = Readonly<{ name: string; partitions: readonly Partition[] }>;

/** The position of each partition, the process that updates it, and the reason if it is stopped. */
export function PartitionTable({ name, partitions }: PartitionTableProps) {
  const label = `Partitions of ${name}`;
  return (
    <div className="partitions" tabIndex={0} role="group" aria-label={label}>
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Partition</th>
            <th scope="col">Position</th>
            <th scope="col">Events</th>
            <th scope="col">Process</th>
            <th scope="col">Last applied</th>
            <th scope="col">Error</th>
          </tr>
        </thead>
        <tbody>
          {partitions.map((partition) => (
            <Row key={partition.partition} partition={partition} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ partition: { partition, position, events, owner, appliedAt, failure } }: RowProps) {
  return (
    <tr>
      <th scope="row">{partition}</th>
      <td>{position}</td>
      <td>{events.toLocaleString('en')}</td>
      <td>{owner ? <AgentText text={`${owner.host} ${owner.pid}`} /> : 'none'}</td>
      <td>{appliedAt === null ? 'never' : <Time at={appliedAt} />}</td>
      <td>{failure !== null && <AgentText text={failure} />}</td>
    </tr>
  );
}

type RowProps = Readonly<{ partition: Partition }>;
