import { z } from 'zod';

import { agentId, checkpointName } from '#shared-context';

import { invalidInput } from '../problems/problem.error.js';

const version = z.int().min(1).optional();

/** A version of a context, as `version`, as its synonym `atVersion`, or as the name of a checkpoint. */
export const namedVersion = z.strictObject({
  version: version.meta({ description: 'The version; the same as atVersion' }),
  atVersion: version.meta({ description: 'The version; the same as version' }),
  checkpoint: checkpointName.optional(),
  agentId: agentId.optional(),
});

type VersionName = Pick<z.output<typeof namedVersion>, 'version' | 'atVersion' | 'checkpoint'>;

/** Returns the version or the checkpoint; throws unless exactly one is sent. */
export function versionNamed({ version, atVersion, checkpoint }: VersionName) {
  if (version !== undefined && atVersion !== undefined && version !== atVersion)
    throw invalidInput([
      {
        pointer: '/atVersion',
        detail: 'differs from version, which has the same meaning: send only one',
      },
    ]);
  const requested = version ?? atVersion;
  if ((requested === undefined) === (checkpoint === undefined))
    throw invalidInput([
      {
        pointer: '/atVersion',
        detail: 'send either a version (version or atVersion) or a checkpoint',
      },
    ]);
  return { version: requested, checkpoint };
}
