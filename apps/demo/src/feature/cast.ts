import { clientWithKey, DemoClient } from '../server/demo-client.js';
import { type Stage } from '../stage.js';

/** A person, with the role operator, which may approve decisions. */
const person = 'product-owner';

type PlayerName =
  | 'analyst'
  | 'architect'
  | 'developer-api'
  | 'developer-web'
  | 'reviewer'
  | typeof person;

export type Player = Readonly<{ name: PlayerName; client: DemoClient }>;
export type Cast = Readonly<Record<PlayerName, Player>>;

/** Creates a key for each player. A decision below `confidenceThreshold` waits for a person. */
export async function gatherCast(stage: Stage, confidenceThreshold: number): Promise<Cast> {
  const { server, signal } = stage;
  const admin = new DemoClient(server, server.adminKey, signal);
  const settings = { decisionConfidenceThreshold: confidenceThreshold };
  await admin.send({ method: 'PATCH', path: 'settings', body: settings });
  const player = async (name: PlayerName): Promise<Player> => {
    const role = name === person ? 'operator' : 'agent';
    return { name, client: await clientWithKey(admin, stage, { role, agentId: name }) };
  };
  return {
    analyst: await player('analyst'),
    architect: await player('architect'),
    'developer-api': await player('developer-api'),
    'developer-web': await player('developer-web'),
    reviewer: await player('reviewer'),
    'product-owner': await player(person),
  };
}
