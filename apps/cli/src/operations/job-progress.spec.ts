import { type Job } from './job.js';
import { JobProgress } from './job-progress.js';

const job: Job = {
  jobId: 'j',
  projection: 'shared-context',
  state: 'running',
  phase: 'copying',
  cancelling: false,
  rate: null,
  verify: 'sample',
  requestedBy: 'admin',
  total: 10_000,
  applied: 0,
  eventsPerSecond: null,
  secondsLeft: null,
  compared: 0,
  different: 0,
  detail: null,
  createdAt: '2030-01-01T00:00:00Z',
  startedAt: null,
  switchedAt: null,
  endedAt: null,
};

function watched(watching: boolean) {
  const lines: string[] = [];
  const add = (line: string) => void lines.push(line);
  let at = 0;
  const progress = watching ? { show: add, clear: () => add('cleared') } : undefined;
  const terminal = { write: add, warn: add, readInput: () => Promise.resolve(''), progress };
  const shown = new JobProgress(terminal, () => at);
  const after = (seconds: number, now: Partial<Job>) => {
    at += seconds * 1000;
    shown.show({ ...job, ...now });
  };
  return { lines, after, shown };
}

describe('the progress of a job', () => {
  it('is a bar on a terminal, with the rate of the last seconds and the time left', () => {
    const { lines, after, shown } = watched(true);
    after(0, {});
    after(2, { applied: 4_000 });
    shown.end();
    expect(lines).toEqual([
      '[..............................] copying, 0 of 10,000 events',
      '[############..................] copying, 4,000 of 10,000 events, 2,000/s, 3 s left',
      'cleared',
    ]);
  });

  it('ignores the rate before a pause', () => {
    const { lines, after } = watched(true);
    after(0, {});
    after(100, { applied: 4_000 });
    after(1, { applied: 5_000 });
    expect(lines.at(-1)).toMatch(/, 1,000\/s, 5 s left$/);
  });

  it('is a line per phase and per tenth without a terminal', () => {
    const { lines, after } = watched(false);
    after(0, { phase: 'waiting', state: 'waiting' });
    for (let applied = 0; applied <= 10_000; applied += 100) after(0.1, { applied });
    after(1, { phase: 'comparing', applied: 10_000, compared: 200 });
    expect(lines).toHaveLength(13);
    expect(lines[0]).toBe('waiting for a projector');
    expect(lines.at(-1)).toBe('comparing, 200 contexts');
  });

  it('is the number of applied events if the total is unknown', () => {
    const [bar, plain] = [watched(true), watched(false)];
    for (const { after } of [bar, plain]) {
      after(0, { total: null });
      after(2, { total: null, applied: 4_000 });
      after(48, { total: null, applied: 100_000 });
      after(1, { total: null, phase: 'comparing', applied: 100_000, compared: 200 });
    }
    expect(bar.lines).toEqual([
      'copying, 0 events',
      'copying, 4,000 events, 2,000/s',
      'copying, 100,000 events',
      'comparing, 200 contexts',
    ]);
    expect(plain.lines).toEqual([
      'copying, 0 events',
      'copying, 100,000 events',
      'comparing, 200 contexts',
    ]);
  });
});
