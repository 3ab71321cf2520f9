import { answerWithin } from './answer-within.js';

/** Why a process can or cannot do its work; details name parts, never addresses or secrets. */
export type Readiness = Readonly<{ ready: boolean; checks: Readonly<Record<string, string>> }>;

/** Asks a part that a process cannot work without for anything. */
export type Probe = () => Promise<unknown>;

/** Said rather than waited for. */
const probeLimitMs = 1_000;

/** Asks every part at the same time; one that fails or stays silent keeps the process from being ready. */
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
