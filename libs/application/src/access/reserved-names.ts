import {
  type ContextCommand,
  agentsNamed,
  claimedAgents,
  confusableName,
  isConfusable,
  mentionedAgents,
} from '#shared-context';

import { InvalidInputError } from '../errors.js';
import { type CommandPlaces, pointerInRequest } from '../writing/command-place.js';

/** An agent named in input, and where. */
type Stated = Readonly<{ pointer: string; agentId: string | null | undefined }>;

/**
 * Throws InvalidInputError where an agent is named as what is no agent could be shown. What is stored under such a name
 * stays, and so does the key of an agent that is called so: `own`.
 */
export function refuseReservedNames(named: readonly Stated[], own: string | null = null): void {
  const issues = named
    .filter(
      ({ agentId }) => typeof agentId === 'string' && agentId !== own && isConfusable(agentId),
    )
    .map(({ pointer }) => ({ pointer, detail: confusableName }));
  if (issues.length > 0) throw new InvalidInputError(issues);
}

/** The agents that a write names: the one it is written for, and those in its commands. */
export function agentsInWrite({
  commands,
  origin,
  ...places
}: CommandPlaces &
  Readonly<{
    commands: readonly ContextCommand[];
    origin?: Readonly<{ agentId?: string | undefined }> | undefined;
  }>): Stated[] {
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
