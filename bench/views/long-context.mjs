const stepsBetweenDecisions = 50;
const topics = 8;

/** A context of this number of steps of real agents, with decisions that supersede one another by topic. */
export function* longContext({ contextId, steps, texts, decisions }) {
  yield { contextId, agent: 'agent-0', type: 'ContextCreated', data: { title: contextId } };
  const live = new Map();
  for (let step = 1; step <= steps; step++) {
    yield stepOf({ contextId, step, texts });
    if (step % stepsBetweenDecisions !== 0) continue;
    const made = step / stepsBetweenDecisions;
    const topic = `topic ${made % topics}`;
    const supersedes = live.get(topic);
    const decisionId = `D${made}`;
    live.set(topic, decisionId);
    const said = decisions[made % decisions.length];
    const data = { decisionId, topic, ...said, ...(supersedes && { supersedes }) };
    yield { contextId, agent: 'architect', type: 'DecisionRecorded', data };
  }
}

export function stepOf({ contextId, step, texts }) {
  const data = { stepId: `s${step}`, output: texts[(step * 7) % texts.length] };
  return { contextId, agent: `agent-${step % 7}`, type: 'StepOutputAdded', data };
}
