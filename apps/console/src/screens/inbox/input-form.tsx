import { useId, useRef, useState } from 'react';

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
  const field = useRef<HTMLTextAreaElement>(null);
  const [value, setValue] = useState('');
  const [isMissing, setMissing] = useState(false);
  const isComplete = () => {
    const isEmpty = value.trim() === '';
    setMissing(isEmpty);
    if (isEmpty) field.current?.focus();
    return !isEmpty;
  };
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
      isComplete={isComplete}
    >
      <label htmlFor={id}>Value: JSON, or plain text</label>
      <textarea
        id={id}
        ref={field}
        rows={3}
        value={value}
        aria-invalid={isMissing}
        aria-describedby={isMissing ? `${id}-missing` : undefined}
        onChange={({ target }) => setValue(target.value)}
      />
      {isMissing && (
        <p id={`${id}-missing`} role="alert" className="missing">
          Enter the value first. An empty text is {'""'}.
        </p>
      )}
    </ActForm>
  );
}
