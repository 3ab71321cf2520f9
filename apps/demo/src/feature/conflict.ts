import { z } from 'zod';

import { type Conflict, type WriteResult } from '../server/demo-client.js';
import { jsonExcerpt } from '../terminal/excerpt.js';
import { type Cast, type Player } from './cast.js';
import { type Narrator } from './narrator.js';

type Proposal = Readonly<{ player: Player; decision: string; rationale: string; adapted: string }>;

type Attempt = Readonly<{ proposal: Proposal; answer: WriteResult | Conflict }>;

const topic = 'error-format';

const missedDecision = z.object({ decisionId: z.string(), decision: z.string() });

/**
 * Two developers decide on the same topic and version at the same time. The second one is refused with the missed events,
 * reads them, and decides again. Returns whether exactly one developer was refused.
 */
export async function resolveConflict(cast: Cast, narrator: Narrator): Promise<boolean> {
  narrator.act('Two developers decide on the same topic at once, each on the version they read');
  const proposals = proposalsOf(cast);
  const versions = await Promise.all(proposals.map(({ player }) => readVersion(player, narrator)));
  const attempts = await Promise.all(
    proposals.map(async (proposal, at): Promise<Attempt> => {
      const request = decide(proposal, versions[at] ?? 0);
      return { proposal, answer: await narrator.writeIfCurrent(proposal.player, request) };
    }),
  );
  for (const { proposal, answer } of attempts)
    if (!('missed' in answer)) narrator.wrote(proposal.player, decide(proposal, 0), answer);
  const losers = attempts.filter(({ answer }) => 'missed' in answer);
  for (const { proposal, answer } of losers)
    if ('missed' in answer) await decideAgain(proposal, answer, narrator);
  return losers.length === 1;
}

async function readVersion(player: Player, narrator: Narrator): Promise<number> {
  const { _version } = await narrator.read(player);
  return _version;
}

async function decideAgain(
  { player, adapted }: Proposal,
  { expectedVersion, currentVersion, missed }: Conflict,
  narrator: Narrator,
): Promise<void> {
  narrator.line(
    player.name,
    `is refused with 412: decided on version ${expectedVersion}, the context is at ${currentVersion}`,
  );
  for (const { version, type, principal, data } of missed)
    narrator.line('', `  missed ${version} ${type} by ${principal}: ${jsonExcerpt(data, 60)}`);
  const liveDecision = missed
    .map(({ data }) => missedDecision.safeParse(data))
    .find(({ success }) => success)?.data;
  await narrator.write(player, {
    path: 'decisions',
    ifMatch: currentVersion,
    body: {
      topic: 'error-display',
      decision: adapted,
      rationale: `Follows the decision made meanwhile: ${liveDecision?.decision}`,
      relatedDecisions: liveDecision
        ? [{ decisionId: liveDecision.decisionId, relation: 'implies' }]
        : [],
      confidence: 0.85,
    },
  });
}

function decide({ decision, rationale }: Proposal, version: number) {
  return {
    path: 'decisions',
    ifMatch: version,
    body: { topic, decision, rationale, confidence: 0.8 },
  };
}

function proposalsOf({ 'developer-api': api, 'developer-web': web }: Cast): readonly Proposal[] {
  return [
    {
      player: api,
      decision: 'Errors are problem documents with a list of fields',
      rationale: 'One shape for every endpoint',
      adapted: 'The server sends one error for each field, as the form expects',
    },
    {
      player: web,
      decision: 'Errors are a map from field to sentence',
      rationale: 'A form shows them next to its fields',
      adapted: 'The form sorts the list of faults to its fields by itself',
    },
  ];
}
