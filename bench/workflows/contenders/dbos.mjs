import { openPool } from '../../connections.mjs';

const shortest = 10;
/** The function of each workflow id: a workflow is registered once, and its arguments are stored. */
const visits = new Map();
let steps;

/** A workflow that calls one step after another, each of which is stored before it returns. */
export async function openDbos(connectionString, { connections }) {
  const { DBOS } = await import('@dbos-inc/dbos-sdk');
  const pool = openPool(connectionString, connections);
  steps ??= DBOS.registerWorkflow(
    async (count) => {
      const visit = visits.get(DBOS.workflowID);
      for (let n = 0; n < count; n++) await DBOS.runStep(async () => visit(), { name: 'work' });
    },
    { name: 'steps' },
  );
  DBOS.setConfig({
    ...{ name: 'throughline-bench', logLevel: 'error', applicationVersion: '1' },
    ...{ systemDatabaseUrl: connectionString, systemDatabasePool: pool },
  });
  await DBOS.launch();
  return {
    shortest,
    run: async (count, visit) => {
      const workflowID = crypto.randomUUID();
      visits.set(workflowID, visit);
      const handle = await DBOS.startWorkflow(steps, { workflowID })(count);
      await handle.getResult();
      visits.delete(workflowID);
    },
    settle: async () => {},
    close: async () => {
      await DBOS.shutdown();
      if (!pool.ended) await pool.end();
    },
  };
}
