import { type ApiAnswer, parseAnswer, path } from '../api-client.js';
import { type Session } from '../session.js';
import { writeAnswer } from '../write-answer.js';

type Control = Readonly<{
  action: 'cancel' | 'pause' | 'resume';
  context: string;
  body: object;
}>;

/** Cancels, pauses or resumes a run. `describe` returns the message for the types of the stored events. */
export async function controlRun(
  { api, show }: Session,
  { action, context, body }: Control,
  describe: (types: readonly string[]) => string,
): Promise<void> {
  const answer = await api.send({
    method: 'POST',
    path: path`contexts/${context}/run/${action}`,
    body: JSON.stringify(body),
  });
  show(answer, () => `the run in ${context} ${describe(typesIn(answer))}`);
}

function typesIn(answer: ApiAnswer): readonly string[] {
  return parseAnswer(writeAnswer, answer).events.map(({ type }) => type);
}
