import { useId, useRef, useState } from 'react';

import { apiPath } from '../../api/client.js';
import { useWrite } from '../../api/use-api.js';
import { mayWrite, useMe } from '../../session/me.js';
import { ErrorNote } from '../../ui/states.js';
import { type Run, controlsOf } from './run.js';

type ControlRequest = Readonly<{ control: 'pause' | 'resume' | 'cancel'; body?: unknown }>;

/** Pauses, resumes or cancels a run. Cancelling needs a confirmation. */
export function RunControls({ contextId, run }: Readonly<{ contextId: string; run: Run }>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { mutate, isPending, error } = useWrite<ControlRequest>(
    ({ control, body = {} }) => ({ path: apiPath('contexts', contextId, 'run', control), body }),
    ['/v1/runs', '/v1/approvals', '/v1/agents', apiPath('contexts', contextId)],
  );
  const controls = controlsOf(run);
  const me = useMe();
  if (!mayWrite(me)) return null;
  const cancel = (body: unknown) => {
    dialog.current?.close();
    mutate({ control: 'cancel', body });
  };
  return (
    <>
      <div className="acts">
        {controls.map((control) => (
          <button
            key={control}
            type="button"
            className={control === 'cancel' ? 'danger' : 'primary'}
            disabled={isPending}
            onClick={() =>
              control === 'cancel' ? dialog.current?.showModal() : mutate({ control })
            }
          >
            {labels[control]}
          </button>
        ))}
      </div>
      {error !== null && <ErrorNote error={error} />}
      <dialog ref={dialog} aria-labelledby="cancel-title">
        <h2 id="cancel-title">Cancel the run?</h2>
        <CancelForm onCancel={cancel} onClose={() => dialog.current?.close()} />
      </dialog>
    </>
  );
}

const labels: Readonly<Record<ControlRequest['control'], string>> = {
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel …',
};

function CancelForm({
  onCancel,
  onClose,
}: Readonly<{ onCancel: (body: unknown) => void; onClose: () => void }>) {
  const id = useId();
  const [reason, setReason] = useState('');
  const [isImmediate, setImmediate] = useState(false);
  const confirm = () => {
    const text = reason.trim();
    onCancel({
      ...(text !== '' && { reason: text }),
      ...(isImmediate && { graceMs: 0 }),
    });
  };
  return (
    <form className="act" onSubmit={(event) => event.preventDefault()}>
      <p>
        No step starts any more, and open approvals are withdrawn. A cancelled run cannot continue.
      </p>
      <label htmlFor={id}>Reason</label>
      <textarea
        id={id}
        rows={2}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <label>
        <input
          type="checkbox"
          checked={isImmediate}
          onChange={({ target }) => setImmediate(target.checked)}
        />{' '}
        Do not wait for running attempts (30 seconds)
      </label>
      <div className="acts">
        <button type="button" className="danger" onClick={confirm}>
          Cancel the run
        </button>
        <button type="button" onClick={onClose}>
          Let it continue
        </button>
      </div>
    </form>
  );
}
