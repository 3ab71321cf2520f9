import { useId, useState } from 'react';

import { apiPath } from '../../api/client.js';
import { useWrite } from '../../api/use-api.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { ErrorNote } from '../../ui/states.js';

type RebuildRequest = Readonly<{ rate?: number; verify: boolean }>;

/** Requests a rebuild of a projection. One rebuild of it runs at a time. */
export function RebuildButton({ name, isRebuilt }: Readonly<{ name: string; isRebuilt: boolean }>) {
  const id = useId();
  const [rate, setRate] = useState('');
  const [verify, setVerify] = useState(false);
  const { mutate, isPending, error } = useWrite<RebuildRequest>(
    (body) => ({ path: apiPath('projections', name, 'rebuild'), body }),
    ['/v1/jobs', '/v1/projections'],
  );
  return (
    <>
      <ConfirmButton
        label="Rebuild …"
        title={`Rebuild ${name}?`}
        confirm="Rebuild"
        close="Do not rebuild"
        disabled={isRebuilt || isPending}
        onConfirm={() => mutate({ ...(rate !== '' && { rate: Number(rate) }), verify })}
      >
        <p>
          New rows are built next to the live rows, and replace them at the end. Reads and writes
          continue. The database needs space for the rows twice.
        </p>
        <label htmlFor={id}>Maximum of events per second (empty: no limit)</label>
        <input
          id={id}
          type="number"
          min={1}
          value={rate}
          onChange={({ target }) => setRate(target.value)}
        />
        <label>
          <input
            type="checkbox"
            checked={verify}
            onChange={({ target }) => setVerify(target.checked)}
          />{' '}
          Compare every context with the live rows, not only a sample
        </label>
      </ConfirmButton>
      {error !== null && <ErrorNote error={error} />}
    </>
  );
}
