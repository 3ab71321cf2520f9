import { useId, useState } from 'react';

import { apiPath } from '../../api/client.js';
import { ActForm } from './act-form.js';
import { valueIn } from './value-in.js';
import { type ApprovalWork } from './work.js';

type Answer = 'retry' | 'skip' | 'output' | 'fail';

const answers: Readonly<Record<Answer, string>> = {
  retry: 'Start another attempt',
  skip: 'Continue without this step',
  output: 'It took effect: set its output',
  fail: 'The attempt has failed',
};

type DoubtFormProps = Readonly<{ work: ApprovalWork; onDone: (message: string) => void }>;

/** Decides about an attempt if it is unknown whether it took effect. */
export function DoubtForm({ work: { contextId, entry }, onDone }: DoubtFormProps) {
  const id = useId();
  const [action, setAction] = useState<Answer>('retry');
  const [output, setOutput] = useState('');
  const request = (comment: string | undefined) => ({
    path: apiPath('approvals', entry.approvalId, 'answer'),
    body: { action, ...(action === 'output' && { output: valueIn(output) }), comment },
  });
  return (
    <ActForm
      contextId={contextId}
      commentLabel="Comment"
      acts={[{ label: 'Answer', done: 'Answered', request }]}
      onDone={onDone}
    >
      <fieldset>
        <legend>The worker was lost, so the effect of the attempt is unknown</legend>
        {(Object.keys(answers) as Answer[]).map((name) => (
          <label key={name}>
            <input
              type="radio"
              name={`${id}-action`}
              checked={action === name}
              onChange={() => setAction(name)}
            />{' '}
            {answers[name]}
          </label>
        ))}
      </fieldset>
      {action === 'output' && (
        <>
          <label htmlFor={id}>Output: JSON, or plain text</label>
          <textarea
            id={id}
            rows={3}
            value={output}
            onChange={({ target }) => setOutput(target.value)}
          />
        </>
      )}
    </ActForm>
  );
}
