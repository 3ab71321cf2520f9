import { parseAnswer, path } from '../api-client.js';
import { type Session } from '../session.js';
import { writeAnswer } from '../write-answer.js';

/** The receipt of the text that the person has read; it is stored with the decision. */
export const basedOnOption = [
  '--based-on <receipt>',
  'receipt of your read, as "context show --receipt" prints it; it is stored with the decision',
] as const;

type Decision = Readonly<{
  approvalId: string;
  verb: 'approve' | 'reject' | 'answer';
  /** JSON text. */
  body: string;
  basedOn: string | undefined;
  /** The printed line after the decision is stored. */
  done: string;
}>;

export async function decideApproval(
  { api, show }: Session,
  { approvalId, verb, body, basedOn, done }: Decision,
): Promise<void> {
  const address = path`approvals/${approvalId}/${verb}`;
  const headers = { 'based-on': basedOn };
  const answer = await api.send({ method: 'POST', path: address, body, headers });
  show(answer, () => {
    const { events } = parseAnswer(writeAnswer, answer);
    return events.length > 0 ? done : `was ${done} already`;
  });
}
