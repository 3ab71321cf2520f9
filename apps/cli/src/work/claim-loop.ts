import { Follower, pause } from '../replay/follow.js';
import { carryOut } from './carry-out.js';
import { type ClaimedWork, parseClaimedWork } from './claimed-work.js';
import { type WorkTools } from './work-tools.js';

const waitSeconds = 20;
/** A server that is stopping answers at once that nothing waits. */
const leastPauseMs = 500;

export type WorkOptions = Readonly<{
  agents: readonly string[];
  /** How many attempts are carried out at the same time, at most. */
  concurrency: number;
  /** End after one attempt, or if none came. */
  once: boolean;
}>;

/**
 * Claims attempts and carries them out until `stopping` aborts, and resolves when the running ones have ended. If the server does not
 * answer, the loop waits until it does.
 */
export async function claimLoop(
  { agents, concurrency, once }: WorkOptions,
  tools: WorkTools,
  stopping: AbortSignal,
): Promise<void> {
  const faulty = new AbortController();
  const signal = AbortSignal.any([stopping, faulty.signal]);
  const follower = new Follower({ api: tools.api, signal, notice: tools.log });
  const running = new Set<Promise<void>>();
  try {
    while (!signal.aborted) {
      const work = await claim(follower, agents, signal);
      if (work) {
        const attempt = carryOut(work, tools)
          .catch((error: unknown) => faulty.abort(error))
          .finally(() => running.delete(attempt));
        running.add(attempt);
      }
      if (once) break;
      if (running.size >= concurrency) await Promise.race(running);
    }
  } finally {
    await Promise.all(running);
  }
  if (faulty.signal.aborted) throw faulty.signal.reason;
}

/** Undefined if nothing came up, or it is to stop. */
async function claim(
  follower: Follower,
  agents: readonly string[],
  signal: AbortSignal,
): Promise<ClaimedWork | undefined> {
  const startedAt = performance.now();
  const body = JSON.stringify({ agents, wait: waitSeconds });
  const answer = await follower.send({ method: 'POST', path: 'work/claim', body });
  if (!answer) return undefined;
  if (answer.status !== 204) return parseClaimedWork(answer);
  if (performance.now() - startedAt < leastPauseMs) await pause(leastPauseMs, signal);
  return undefined;
}
