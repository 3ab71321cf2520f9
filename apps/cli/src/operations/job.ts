import { z } from 'zod';

import { CliError } from '../cli-error.js';
import { exitCodes } from '../exit-code.js';
import { printableLine } from '../printable.js';

export const jobSchema = z.looseObject({
  jobId: z.string(),
  projection: z.string(),
  state: z.string(),
  phase: z.string(),
  cancelling: z.boolean(),
  rate: z.number().nullable(),
  verify: z.string(),
  requestedBy: z.string(),
  total: z.number().nullable(),
  applied: z.number(),
  eventsPerSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  compared: z.number(),
  different: z.number(),
  detail: z.string().nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  switchedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
});

export type Job = z.output<typeof jobSchema>;

/** Whether the job has ended or waits for a confirmation. */
export function isSettled({ state }: Job): boolean {
  return !['waiting', 'running'].includes(state);
}

export function describeJob(job: Job): string {
  const { jobId, projection, requestedBy, detail } = job;
  const lines = [
    `rebuild of ${projection}, requested by ${printableLine(requestedBy)}`,
    `job       ${jobId}`,
    `state     ${stateOf(job)}`,
    `events    ${amountOf(job)}`,
    `compared  ${comparisonOf(job)}`,
    ...(detail === null ? [] : [`detail    ${printableLine(detail)}`]),
    ...timesOf(job),
    nextSteps(job),
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}

/** Throws if the job failed or was cancelled. */
export function requireSwitched(job: Job): void {
  const { jobId, state, detail } = job;
  if (state === 'failed')
    throw new CliError(`job ${jobId} has failed: ${detail ?? 'no reason given'}`, {
      next: 'the live rows are unchanged; see the log of the projector',
    });
  if (state === 'cancelled')
    throw new CliError(`job ${jobId} was cancelled`, { exitCode: exitCodes.conflict });
}

export function amountOf({ total, applied }: Pick<Job, 'total' | 'applied'>): string {
  return total === null ? count(applied) : `${count(applied)} of ${count(total)}`;
}

/** 1234 as `1,234`. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** 3723 as `1 h 2 min`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function stateOf({ state, phase, cancelling }: Job): string {
  const label = state === 'running' ? `running, ${phase}` : state;
  return cancelling && state === 'running' ? `${label}, being cancelled` : label;
}

function comparisonOf({ compared, different, verify }: Job): string {
  if (compared === 0) return 'nothing yet';
  const extent = verify === 'all' ? 'all' : 'a sample of';
  return `${extent} ${count(compared)} contexts, ${different === 0 ? 'none' : count(different)} different`;
}

function timesOf({ createdAt, startedAt, switchedAt, endedAt }: Job): string[] {
  const times = { created: createdAt, started: startedAt, switched: switchedAt, ended: endedAt };
  return Object.entries(times).flatMap(([name, time]) =>
    time === null ? [] : [`${name.padEnd(8)}  ${time}`],
  );
}

function nextSteps({ state, jobId }: Job): string | undefined {
  if (state !== 'switched') return undefined;
  return [
    'The new rows are live; the old rows remain until you confirm the switch.',
    `next: throughline projection confirm ${jobId}   drops the old rows`,
    `      throughline projection cancel ${jobId}    restores them`,
  ].join('\n');
}
