import { printableLine } from '../printable.js';

/** `attempt`: the attempt in doubt that it is about, if any. */
type OpenApproval = Readonly<{ approvalId: string; attempt?: number | null | undefined }>;

/** Returns the command lines with which a person decides. */
export function waysToDecide({ approvalId, attempt }: OpenApproval): readonly string[] {
  const ways =
    typeof attempt === 'number'
      ? [`answer ${approvalId} <retry|skip|output|fail>`]
      : [`approve ${approvalId}`, `reject ${approvalId} --comment <why>`];
  return ways.map((way) => printableLine(`throughline approval ${way}`));
}
