import { printableLine } from '../printable.js';

/** `attempt`: it asks about an attempt in doubt. */
type OpenDecision = Readonly<{ approvalId: string; attempt?: number | null | undefined }>;

/** The command lines by which a person decides. */
export function waysToDecide({ approvalId, attempt }: OpenDecision): readonly string[] {
  const ways =
    typeof attempt === 'number'
      ? [`answer ${approvalId} <retry|skip|output|fail>`]
      : [`approve ${approvalId}`, `reject ${approvalId} --comment <why>`];
  return ways.map((way) => printableLine(`throughline approval ${way}`));
}
