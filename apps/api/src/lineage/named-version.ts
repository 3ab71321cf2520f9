import { z } from 'zod';

import { agentId, checkpointName } from '#shared-context';

import { invalidInput } from '../problems/problem.error.js';

const version = z.int().min(1).optional();

/** A version of a context: under either of two names that mean the same, or that of a checkpoint. */
export const namedVersion = z.strictObject({
  version: version.meta({ description: 'The version; the same as atVersion' }),
  atVersion: version.meta({ description: 'The version; the same as version' }),
  checkpoint: checkpointName.optional(),
  agentId: agentId.optional(),
});

type VersionName = Pick<z.output<typeof namedVersion>, 'version' | 'atVersion' | 'checkpoint'>;

/** The version or checkpoint that is named, once. */
export function versionNamed({ version, atVersion, checkpoint }: VersionName) {
  if (version !== undefined && atVersion !== undefined && version !== atVersion)
    throw invalidInput([
      { pointer: '/atVersion', detail: 'differs from version, which means the same: send one' },
    ]);
  const stated = version ?? atVersion;
  if ((stated === undefined) === (checkpoint === undefined))
    throw invalidInput([
      {
        pointer: '/atVersion',
        detail: 'send either a version (version or atVersion) or a checkpoint',
      },
    ]);
  return { version: stated, checkpoint };
}
