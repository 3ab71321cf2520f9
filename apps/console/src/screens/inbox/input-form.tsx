import { useId, useState } from 'react';

import { apiPath } from '../../api/client.js';
import { ActForm } from './act-form.js';
import { valueIn } from './value-in.js';
import { type WorkOf } from './work.js';

type InputFormProps = Readonly<{
  work: WorkOf<'input-request'>;
  onDone: (message: string) => void;
}>;

/** Provides the value of an input request. */
export function InputForm({ work: { contextId, entry }, onDone }: InputFormProps) {
  const id = useId();
  const [value, setValue] = useState('');
  const request = (note: string | undefined) => ({
    path: apiPath('contexts', contextId, 'input-requests', entry.inputRequestId, 'provide'),
    body: { value: valueIn(value), note },
  });
  return (
    <ActForm
      contextId={contextId}
      commentLabel="Note"
      acts={[{ label: 'Provide', done: 'Provided', request }]}
      onDone={onDone}
    >
      <label htmlFor={id}>Value: JSON, or plain text</label>
      <textarea id={id} rows={3} value={value} onChange={({ target }) => setValue(target.value)} />
    </ActForm>
  );
}
