import { type JobProgress } from '#read-models';

import { toJobView } from './job-view.js';

const start = '2030-01-01T00:00:00.000Z';
const after = (seconds: number) => Date.parse(start) + seconds * 1000;
const job: JobProgress = {
  jobId: 'j',
  kind: 'rebuild',
  projection: 'shared-context',
  state: 'running',
  phase: 'copying',
  rate: null,
  verify: 'sample',
  requestedBy: 'admin',
  cancelling: false,
  schemaVersion: null,
  total: 1_000,
  applied: 0,
  compared: 0,
  different: 0,
  detail: null,
  epoch: 1,
  createdAt: start,
  startedAt: start,
  switchedAt: null,
  endedAt: null,
};

describe('the view of a job', () => {
  it('states its rate and the remaining time while it runs', () => {
    const view = toJobView({ ...job, applied: 250 }, after(10));
    expect(view).toMatchObject({ eventsPerSecond: 25, secondsLeft: 30 });
  });

  it('states neither before an event is applied nor in its first second', () => {
    const unknown = { eventsPerSecond: null, secondsLeft: null };
    expect(toJobView(job, after(10))).toMatchObject(unknown);
    expect(toJobView({ ...job, startedAt: null }, after(10))).toMatchObject(unknown);
    expect(toJobView({ ...job, applied: 10 }, after(0))).toMatchObject(unknown);
  });

  it('states its average rate and no remaining time when it has finished', () => {
    const switchedAt = new Date(after(20)).toISOString();
    const view = toJobView(
      { ...job, state: 'switched', applied: 1_000, switchedAt },
      after(1_000_000),
    );
    expect(view).toMatchObject({ eventsPerSecond: 50, secondsLeft: null });
  });
});
