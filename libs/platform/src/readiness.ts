import { answerWithin } from './answer-within.js';

/** Whether a process can work; `checks` names parts and never contains addresses or secrets. */
export type Readiness = Readonly<{ ready: boolean; checks: Readonly<Record<string, string>> }>;

/** Checks a part that the process needs; rejects if it does not work. */
export type Probe = () => Promise<unknown>;

/** A part that does not answer in this time counts as not answering. */
const probeLimitMs = 1_000;

/** Checks all parts at the same time. The process is not ready if a part fails or does not answer. */
export async function readinessOf(probes: Readonly<Record<string, Probe>>): Promise<Readiness> {
  const checks = await Promise.all(
    Object.entries(probes).map(async ([part, probe]) => [part, await answers(probe)] as const),
  );
  return {
    ready: checks.every(([, answered]) => answered),
    checks: Object.fromEntries(
      checks.map(([part, answered]) => [part, answered ? 'answers' : 'does not answer']),
    ),
  };
}

async function answers(probe: Probe): Promise<boolean> {
  const answered = await answerWithin(probeLimitMs, async () => {
    await probe();
    return true;
  });
  return answered === true;
}
