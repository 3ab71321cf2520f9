import { type Stage } from '../stage.js';
import { type Cast, gatherCast } from './cast.js';
import { resolveConflict } from './conflict.js';
import { checkFreshReads } from './fresh-reads.js';
import { Narrator } from './narrator.js';
import { showOutcome } from './outcome.js';

const contextId = 'guest-checkout';
const confidenceThreshold = 0.7;

/** Plays a small feature from the first question to the closed context. Returns whether all checks passed. */
export async function playFeature(stage: Stage): Promise<boolean> {
  const cast = await gatherCast(stage, confidenceThreshold);
  const narrator = new Narrator(stage.terminal, contextId);
  await openWork(cast, narrator);
  await decideDesign(cast, narrator);
  await writeDesign(cast, narrator);
  const resolved = await resolveConflict(cast, narrator);
  await build(cast, narrator);
  const wentStale = await review(cast, narrator);
  const fresh = await checkFreshReads(cast, narrator);
  return (await showOutcome(cast, narrator)) && resolved && wentStale && fresh;
}

async function openWork({ analyst, 'product-owner': owner }: Cast, narrator: Narrator) {
  narrator.act('The analyst opens a shared context');
  const title = 'Guests can check out without an account';
  const body = {
    contextId,
    title,
    input: { request: 'Many baskets are left at the login page. Let people buy without one.' },
    globalContext: {
      constraints: ['no new personal data beyond the order', 'p95 of the order call below 300 ms'],
    },
  };
  narrator.wrote(
    analyst,
    { path: '', body },
    await analyst.client.write({ path: 'contexts', body }),
  );
  await narrator.write(owner, {
    method: 'PATCH',
    path: 'preferences',
    body: { language: 'en', deliverables: 'one page each' },
  });
  await narrator.write(analyst, {
    path: 'step-outputs',
    body: {
      stepId: 'analysis',
      output: {
        needs: ['order with an e-mail address alone', 'see the order again later'],
        risks: ['a mistyped address', 'orders guessed by their number'],
      },
    },
  });
}

async function decideDesign({ architect, 'product-owner': owner }: Cast, narrator: Narrator) {
  narrator.act(
    `The architect reads and decides; below a confidence of ${confidenceThreshold} a person must approve`,
  );
  await narrator.read(architect);
  const identity = await narrator.write(architect, {
    path: 'decisions',
    body: {
      topic: 'guest-identity',
      stepId: 'design',
      decision: 'A guest returns by a signed link sent by e-mail',
      rationale: 'No password and no account to keep',
      alternativesConsidered: ['order number and postcode'],
      confidence: 0.9,
    },
  });
  const capture = await narrator.write(architect, {
    path: 'decisions',
    body: {
      topic: 'payment-capture',
      stepId: 'design',
      decision: 'The payment is taken once the link was opened',
      rationale: 'It proves the address before money moves',
      relatedDecisions: [{ decisionId: identity.decisionId, relation: 'requires' }],
      confidence: 0.55,
    },
  });
  await narrator.readDecisions(owner);
  await narrator.write(owner, {
    path: `decisions/${capture.decisionId}/approve`,
    body: { reason: 'A lost sale is cheaper than a wrong charge' },
  });
}

async function writeDesign({ architect }: Cast, narrator: Narrator) {
  await narrator.write(architect, {
    path: 'step-outputs',
    body: { stepId: 'design', output: { endpoints: ['POST /orders', 'GET /orders/{token}'] } },
  });
  await narrator.write(architect, {
    path: 'artifacts',
    body: { artifactId: 'design', artifactType: 'document', path: 'docs/guest-checkout.md' },
  });
}

async function build(cast: Cast, narrator: Narrator) {
  narrator.act('Both build at once; writes that do not depend on each other never conflict');
  const work = [
    [cast['developer-api'], 'api', 'src/orders/order.controller.ts'],
    [cast['developer-web'], 'web', 'src/checkout/guest-form.tsx'],
  ] as const;
  await Promise.all(
    work.map(async ([developer, stepId, path]) => {
      const artifact = { artifactId: stepId, artifactType: 'source', path, stepId };
      const output = { done: true, files: [path] };
      const events = [
        { type: 'StepStarted', data: { stepId } },
        { type: 'ArtifactReferenced', data: artifact },
        { type: 'StepOutputAdded', data: { stepId, output, artifactIds: [stepId] } },
      ];
      await narrator.write(developer, { path: 'events', body: { events } });
    }),
  );
}

/** Returns whether superseding a decision marked the decision that depended on it as stale. */
async function review({ reviewer, architect }: Cast, narrator: Narrator): Promise<boolean> {
  narrator.act('The review changes a decision, and the decision that depends on it becomes stale');
  const { decisionHistory } = await narrator.read(reviewer);
  const [identity, capture] = ['guest-identity', 'payment-capture'].map(
    (topic) => decisionHistory.find((decision) => decision.topic === topic)?.decisionId,
  );
  await narrator.write(reviewer, {
    path: 'step-outputs',
    body: {
      stepId: 'review',
      output: {
        verdict: 'changes needed',
        issue: 'Mail scanners open links: the link proves nothing',
      },
    },
  });
  const replaced = await narrator.write(architect, {
    path: 'decisions',
    body: {
      supersedes: identity,
      decision: 'A guest returns by a six-digit code sent by e-mail',
      rationale: 'A scanner opens links, it does not type codes',
      confidence: 0.85,
    },
  });
  const decisions = await narrator.readDecisions(reviewer);
  await narrator.write(architect, {
    path: 'decisions',
    body: {
      supersedes: capture,
      decision: 'The payment is taken once the code was entered',
      rationale: 'As before, with the proof that holds',
      relatedDecisions: [{ decisionId: replaced.decisionId, relation: 'requires' }],
      confidence: 0.8,
    },
  });
  return decisions.some(({ decisionId, stale }) => decisionId === capture && stale);
}
