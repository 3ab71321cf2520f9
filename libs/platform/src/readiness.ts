/** Why a process can or cannot do its work; details name parts, never addresses or secrets. */
export type Readiness = Readonly<{ ready: boolean; checks: Readonly<Record<string, string>> }>;

/** What stands between a process and its work is its database alone. */
export async function readinessOf(answers: () => Promise<boolean>): Promise<Readiness> {
  const ready = await answers();
  return { ready, checks: { database: ready ? 'answers' : 'does not answer' } };
}
