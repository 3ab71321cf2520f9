import { useId } from 'react';

import { seesEverything, useMe } from '../../session/me.js';
import { DraftField } from '../../ui/draft-field.js';
import { SelectField } from '../../ui/select-field.js';
import { audiencesOf } from './audiences.js';

type AudienceFieldProps = Readonly<{
  label: string;
  value: string;
  onChange: (audience: string) => void;
}>;

/** An audience of the key. A key that sees everything may read for every audience, including those of policies. */
export function AudienceField(props: AudienceFieldProps) {
  const me = useMe();
  const id = useId();
  if (!seesEverything(me)) return <SelectField {...props} options={me.audiences} none="default" />;
  return (
    <>
      <DraftField {...props} list={id} placeholder="default" />
      <datalist id={id}>
        {audiencesOf(me).map((audience) => (
          <option key={audience} value={audience} />
        ))}
      </datalist>
    </>
  );
}
