import { AgentText } from '../../ui/agent-text.js';
import { Empty } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { JobControls } from './job-controls.js';
import { type Job, comparisonText, isActive, progressText, stateText } from './job.js';

type JobListProps = Readonly<{
  jobs: readonly Job[];
  fetchMore: (() => Promise<unknown>) | undefined;
}>;

/** All rebuilds, the newest first. */
export function JobList({ jobs, fetchMore }: JobListProps) {
  if (jobs.length === 0)
    return (
      <Empty title="There were no rebuilds yet">
        <p>
          A rebuild computes the rows of a projection from its events again. The button above
          requests one; it is never necessary in normal operation.
        </p>
      </Empty>
    );
  return (
    <>
      <p role="status" className="job-status">
        {jobs[0] && stateText(jobs[0])}
      </p>
      <VirtualList
        label="Rebuilds"
        items={jobs}
        keyOf={({ jobId }) => jobId}
        estimate={120}
        row={(job) => <Row job={job} />}
        onEnd={fetchMore && (() => void fetchMore())}
      />
    </>
  );
}

function Row({ job }: Readonly<{ job: Job }>) {
  const { jobId, projection, state, requestedBy, createdAt, endedAt, detail } = job;
  const comparison = comparisonText(job);
  return (
    <article className="job">
      <p>
        <AgentText text={projection} /> <span className={`badge ${state}`}>{state}</span>
      </p>
      {isActive(job) && <Progress job={job} />}
      <p>
        {progressText(job)}
        {comparison !== undefined && `. ${comparison}`}
      </p>
      {detail !== null && <AgentText text={detail} block />}
      <JobControls job={job} />
      <p className="muted">
        requested by <AgentText text={requestedBy} /> <Time at={createdAt} />
        {endedAt !== null && (
          <>
            , ended <Time at={endedAt} />
          </>
        )}
        , job <code>{jobId}</code>
      </p>
    </article>
  );
}

/** Without a value while the number of events is unknown. */
function Progress({ job: { projection, applied, total } }: Readonly<{ job: Job }>) {
  const value = total === null || total === 0 ? undefined : Math.min(applied, total);
  return (
    <progress
      aria-label={`Progress of the rebuild of ${projection}`}
      max={total === null || total === 0 ? undefined : total}
      value={value}
    />
  );
}
