import { resolve } from 'node:path';

import { describeStores, type Runtime, rootKeyFile } from '#platform';

/**
 * The message that a server prints when it listens. Only a terminal gets the secret of a root key that this start created:
 * other outputs, such as the log of a service, are stored.
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
    ? `Root key, shown only now: ${created}`
    : `The root key is in ${resolve(rootKeyFile(config))}`;
  return [...lines, key].join('\n');
}
