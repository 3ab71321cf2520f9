import { apiPath } from '../../api/client.js';
import { useWrite } from '../../api/use-api.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { ErrorNote } from '../../ui/states.js';
import { type Job, type JobControl, controlsOf } from './job.js';

type ControlTexts = Readonly<{
  label: string;
  title: string;
  confirm: string;
  close: string;
  consequence: string;
  isDangerous?: boolean;
  action: 'confirm' | 'cancel';
}>;

const texts: Readonly<Record<JobControl, ControlTexts>> = {
  cancel: {
    label: 'Cancel …',
    title: 'Cancel the rebuild?',
    confirm: 'Cancel the rebuild',
    close: 'Let it continue',
    consequence: 'It stops within seconds, and its new rows are removed. The live rows stay.',
    isDangerous: true,
    action: 'cancel',
  },
  confirm: {
    label: 'Confirm …',
    title: 'Delete the old rows?',
    confirm: 'Delete the old rows',
    close: 'Retain them',
    consequence: 'The new rows stay live. The old rows cannot be restored afterwards.',
    isDangerous: true,
    action: 'confirm',
  },
  restore: {
    label: 'Restore the old rows …',
    title: 'Restore the old rows?',
    confirm: 'Restore the old rows',
    close: 'Stay with the new rows',
    consequence: 'The old rows become live again and catch up. The new rows are deleted.',
    action: 'cancel',
  },
};

/** The buttons of a job, each with a confirmation. */
export function JobControls({ job }: Readonly<{ job: Job }>) {
  const { mutate, isPending, error } = useWrite<ControlTexts['action']>(
    (action) => ({ path: apiPath('jobs', job.jobId, action) }),
    ['/v1/jobs', '/v1/projections'],
  );
  return (
    <>
      <div className="acts">
        {controlsOf(job).map((control) => {
          const { consequence, action, ...rest } = texts[control];
          return (
            <ConfirmButton
              key={control}
              {...rest}
              disabled={isPending}
              onConfirm={() => mutate(action)}
            >
              <p>{consequence}</p>
            </ConfirmButton>
          );
        })}
      </div>
      {error !== null && <ErrorNote error={error} />}
    </>
  );
}
