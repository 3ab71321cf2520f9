import { parseAnswer, path } from '../api-client.js';
import { type Session } from '../session.js';
import { writeAnswer } from '../write-answer.js';

type Decision = Readonly<{
  approvalId: string;
  verb: 'approve' | 'reject' | 'answer';
  /** JSON text. */
  body: string;
  /** What it comes to, for people. */
  done: string;
}>;

export async function decideApproval(
  { api, show }: Session,
  { approvalId, verb, body, done }: Decision,
): Promise<void> {
  const address = path`approvals/${approvalId}/${verb}`;
  const answer = await api.send({ method: 'POST', path: address, body });
  show(answer, () => {
    const { events } = parseAnswer(writeAnswer, answer);
    return events.length > 0 ? done : `was ${done} already`;
  });
}
