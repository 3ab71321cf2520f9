import { useApi, useApiPages } from '../../api/use-api.js';
import { usePolling } from '../../api/use-polling.js';
import { Empty, Loading } from '../../ui/states.js';
import { type Job, isActive } from './job.js';
import { JobList } from './job-list.js';
import { type Projection } from './projection.js';
import { ProjectionCard } from './projection-card.js';

/** Milliseconds between two reads, while a rebuild runs and otherwise. No stream reports projections or jobs. */
const pollMs = { active: 1_000, quiet: 5_000 };

/** The projections with their lag, and their rebuilds. */
export function ProjectionsTab() {
  const projections = useApi<Readonly<{ items: readonly Projection[] }>>('/v1/projections');
  const list = useApiPages<Job>('/v1/jobs');
  const jobs = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const ms = jobs.some(isActive) ? pollMs.active : pollMs.quiet;
  usePolling(projections, ms);
  usePolling(list, ms);
  if (!projections.data) return <Loading of={projections} />;
  const { items } = projections.data.body;
  return (
    <>
      {items.length === 0 && <NoProjections />}
      {items.map((projection) => (
        <ProjectionCard
          key={projection.name}
          projection={projection}
          isRebuilt={jobs.some((job) => isActive(job) && job.projection === projection.name)}
        />
      ))}
      <h2>Rebuilds</h2>
      {list.data ? (
        <JobList jobs={jobs} fetchMore={list.hasNextPage ? list.fetchNextPage : undefined} />
      ) : (
        <Loading of={list} />
      )}
    </>
  );
}

function NoProjections() {
  return (
    <Empty title="There are no projections yet">
      <p>
        A projector creates them when it starts. Start one with <code>throughline projector</code>,
        or start the server without <code>PROJECTOR=external</code>.
      </p>
    </Empty>
  );
}
