import { openPool } from '../connections.mjs';

/**
 * The earlier design of Throughline: the whole context in one JSONB column, which each step reads, changes and writes
 * back with a version check. The document always has `steps` outputs: a new one replaces the oldest.
 */
export async function openRewriteColumn({ connectionString, outputs, name, clients, steps }) {
  const pool = openPool(connectionString, clients);
  await pool.query(
    'create table workflow_instances (id integer primary key, version integer not null, shared_context jsonb not null)',
  );
  for (let client = 0; client < clients; client++)
    await pool.query('insert into workflow_instances values ($1, 1, $2)', [
      client,
      JSON.stringify(initialContext(outputs, steps)),
    ]);
  let stored = 0;
  return {
    name,
    request: async (client) => {
      const { output } = outputs[stored % outputs.length];
      await addStepOutput(pool, client, `new-${stored++}`, output);
    },
    close: () => pool.end(),
  };
}

async function addStepOutput(pool, id, stepId, output) {
  const { rows } = await pool.query({
    name: 'read',
    text: 'select version, shared_context from workflow_instances where id = $1',
    values: [id],
  });
  const { version, shared_context: context } = rows[0];
  delete context.stepOutputs[Object.keys(context.stepOutputs)[0]];
  context.stepOutputs[stepId] = output;
  const { rowCount } = await pool.query({
    name: 'write',
    text: 'update workflow_instances set version = version + 1, shared_context = $3 where id = $1 and version = $2',
    values: [id, version, JSON.stringify(context)],
  });
  if (rowCount !== 1) throw new Error('the document was not written');
}

function initialContext(outputs, steps) {
  const entries = Array.from({ length: steps }, (_, n) => [
    `step-${n}`,
    outputs[n % outputs.length].output,
  ]);
  return {
    stepOutputs: Object.fromEntries(entries),
    decisionHistory: [],
    userPreferences: {},
    artifactReferences: [],
  };
}
