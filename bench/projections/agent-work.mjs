import { seededRandom, skewedDraw } from './random.mjs';

const skew = 0.9;
const agents = 7;
const topics = 20;

/**
 * The events of agents over many contexts, a few of which get most of them: steps are started and completed, sometimes
 * failed or repeated; decisions supersede earlier ones on their topic; there are preferences, constraints and
 * artifacts.
 */
export function* agentWork({ events, contexts, texts, decisions, seed = 7 }) {
  const random = seededRandom(seed);
  const nextContext = skewedDraw(contexts, skew, random);
  const draw = (list) => list[Math.floor(random() * list.length)];
  const known = new Map();
  for (let made = 0; made < events; made++) {
    const contextId = `work-${nextContext()}`;
    const context = known.get(contextId) ?? newContext();
    const event = known.has(contextId)
      ? nextEvent(context, { random, draw, texts, decisions })
      : { type: 'ContextCreated', data: { title: draw(decisions).decision.slice(0, 120) } };
    known.set(contextId, context);
    yield { contextId, agent: `agent-${Math.floor(random() * agents)}`, ...event };
  }
}

function newContext() {
  return { open: [], steps: 0, decided: 0, artifacts: 0, live: new Map() };
}

function nextEvent(context, given) {
  const chance = given.random();
  if (chance < 0.08) return decide(context, given);
  if (chance < 0.11) return prefer('PreferencesSet', given);
  if (chance < 0.12) return prefer('GlobalContextSet', given);
  if (chance < 0.16) return refer(context, given);
  if (context.open.length > 0 && chance < 0.62) return end(context, given);
  return start(context, given);
}

function start(context, { random }) {
  const again = context.steps > 0 && random() < 0.15;
  const number = again ? 1 + Math.floor(random() * context.steps) : ++context.steps;
  const stepId = `step-${number}`;
  if (!context.open.includes(stepId)) context.open.push(stepId);
  return { type: 'StepStarted', data: { stepId } };
}

function end(context, { random, draw, texts }) {
  const stepId = context.open.shift();
  if (random() < 0.04)
    return { type: 'StepFailed', data: { stepId, reason: draw(texts).slice(0, 2000) } };
  return { type: 'StepOutputAdded', data: { stepId, output: { summary: draw(texts) } } };
}

function decide(context, { random, draw, decisions }) {
  const decisionId = `DEC-${String(++context.decided).padStart(3, '0')}`;
  const topic = `topic-${Math.floor(random() * topics)}`;
  const supersedes = context.live.get(topic);
  context.live.set(topic, decisionId);
  const data = { decisionId, topic, ...draw(decisions), confidence: 0.8 };
  return { type: 'DecisionRecorded', data: { ...data, ...(supersedes && { supersedes }) } };
}

function prefer(type, { random, draw, decisions }) {
  const name = `preference-${Math.floor(random() * 12)}`;
  return { type, data: { values: { [name]: draw(decisions).decision.slice(0, 200) } } };
}

function refer(context, { random }) {
  const isNew = context.artifacts === 0 || random() < 0.6;
  const number = isNew ? ++context.artifacts : 1 + Math.floor(random() * context.artifacts);
  const place = { path: `docs/part-${number}.md`, commit: Math.floor(random() * 1e9).toString(16) };
  return {
    type: 'ArtifactReferenced',
    data: { artifactId: `artifact-${number}`, artifactType: 'document', ...place },
  };
}
