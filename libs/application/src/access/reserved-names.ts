import {
  type ContextCommand,
  agentsNamed,
  claimedAgents,
  confusableName,
  isConfusable,
  mentionedAgents,
} from '#shared-context';

import { InvalidInputError } from '../errors.js';

import { type CommandPlaces, pointerInRequest } from './command-place.js';

/** An agent that a request names, and the pointer to that member. */
type AgentMention = Readonly<{ pointer: string; agentId: string | null | undefined }>;

/**
 * Throws InvalidInputError if a request names an agent by a reserved name, which views use for people and for the server.
 * Stored names remain readable, and `own`, the agent of the key, may have such a name.
 */
export function refuseReservedNames(
  named: readonly AgentMention[],
  own: string | null = null,
): void {
  const issues = named
    .filter(
      ({ agentId }) => typeof agentId === 'string' && agentId !== own && isConfusable(agentId),
    )
    .map(({ pointer }) => ({ pointer, detail: confusableName }));
  if (issues.length > 0) throw new InvalidInputError(issues);
}

/** The agents that a write names: its author, and the agents in its commands. */
export function agentsInWrite({
  commands,
  origin,
  ...places
}: CommandPlaces &
  Readonly<{
    commands: readonly ContextCommand[];
    origin?: Readonly<{ agentId?: string | undefined }> | undefined;
  }>): AgentMention[] {
  const inCommands = commands.flatMap((command, at) =>
    [claimedAgents, mentionedAgents]
      .flatMap((members) => agentsNamed(command, members))
      .map(({ pointer, agentId }) => ({
        pointer: pointerInRequest(places, at, pointer),
        agentId,
      })),
  );
  return [{ pointer: '/agentId', agentId: origin?.agentId }, ...inCommands];
}
