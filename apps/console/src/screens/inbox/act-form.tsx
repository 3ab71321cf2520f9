import { type ReactNode, useId, useRef, useState } from 'react';

import { apiPath } from '../../api/client.js';
import { useWrite } from '../../api/use-api.js';
import { ErrorNote } from '../../ui/states.js';

type ActRequest = Readonly<{ path: string; body: unknown }>;

/** A button of the form. `done`: what is reported after it has succeeded. */
type Act = Readonly<{
  label: string;
  done: string;
  needsComment?: boolean;
  isDangerous?: boolean;
  request: (comment: string | undefined) => ActRequest;
}>;

type ActFormProps = Readonly<{
  contextId: string;
  commentLabel: string;
  acts: readonly Act[];
  onDone: (message: string) => void;
  /** Further fields. */
  children?: ReactNode;
  /** Whether the further fields are complete. If not, nothing is sent, and the fields show what is missing. */
  isComplete?: () => boolean;
}>;

/** A comment and the buttons that send it. */
export function ActForm(props: ActFormProps) {
  const { contextId, commentLabel, acts, onDone, children, isComplete = () => true } = props;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [comment, setComment] = useState('');
  const [isMissing, setMissing] = useState(false);
  const { mutateAsync, isPending, error } = useWrite<ActRequest>(
    (request) => request,
    ['/v1/approvals', '/v1/agents', '/v1/runs', apiPath('contexts', contextId)],
  );
  const start = ({ needsComment = false, request, done }: Act) => {
    if (!isComplete()) return;
    const text = comment.trim();
    setMissing(needsComment && text === '');
    if (needsComment && text === '') return field.current?.focus();
    // The promise is used because the form is removed as soon as the list is read again.
    void mutateAsync(request(text === '' ? undefined : text)).then(
      () => onDone(done),
      () => undefined,
    );
  };
  return (
    <form className="act" onSubmit={(event) => event.preventDefault()}>
      {children}
      <label htmlFor={id}>{commentLabel}</label>
      <textarea
        id={id}
        ref={field}
        rows={3}
        value={comment}
        aria-invalid={isMissing}
        aria-describedby={isMissing ? `${id}-missing` : undefined}
        onChange={({ target }) => setComment(target.value)}
      />
      {isMissing && (
        <p id={`${id}-missing`} role="alert" className="missing">
          Enter the reason first
        </p>
      )}
      <ActButtons acts={acts} isPending={isPending} onAct={start} />
      {error !== null && <ErrorNote error={error} />}
    </form>
  );
}

function ActButtons({
  acts,
  isPending,
  onAct,
}: Readonly<{ acts: readonly Act[]; isPending: boolean; onAct: (act: Act) => void }>) {
  return (
    <div className="acts">
      {acts.map((act) => (
        <button
          key={act.label}
          type="button"
          className={act.isDangerous === true ? 'danger' : 'primary'}
          disabled={isPending}
          onClick={() => onAct(act)}
        >
          {act.label}
        </button>
      ))}
    </div>
  );
}
