import { resolve } from 'node:path';

import { describeStores, type Runtime, rootKeyFile } from '#platform';

/**
 * What a server prints when it listens. Only a terminal is shown the secret of a root key that was made at this start:
 * what is written elsewhere is kept, as the log of a service for example.
 */
export function greeting(
  address: string,
  {
    config,
    rootKey,
  }: Readonly<{ config: Runtime['config']; rootKey: Pick<Runtime['rootKey'], 'created'> }>,
  { isTerminal, signInCode }: Readonly<{ isTerminal: boolean; signInCode?: string | undefined }>,
): string {
  const { created } = rootKey;
  const lines = [
    `Throughline listens on ${address}`,
    signInCode === undefined
      ? `Console: ${address}/console`
      : `Console, signed in by this link (once, within 15 minutes): ${address}/console#sign-in=${signInCode}`,
    `Documentation: ${address}/docs`,
    describeStores(config),
  ];
  if (created === undefined) return lines.join('\n');
  const key = isTerminal
    ? `Root key, shown this once: ${created}`
    : `The root key is in ${resolve(rootKeyFile(config))}`;
  return [...lines, key].join('\n');
}
