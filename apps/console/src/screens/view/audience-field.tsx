import { useId } from 'react';

import { everything } from '../../api/policy.js';
import { usePolicies } from '../../api/use-policies.js';
import { seesEverything, useMe } from '../../session/me.js';
import { DraftField } from '../../ui/draft-field.js';
import { SelectField } from '../../ui/select-field.js';

type AudienceFieldProps = Readonly<{
  label: string;
  value: string;
  onChange: (audience: string) => void;
}>;

/** An audience of the key. A key that sees everything may read for every audience, including those of policies. */
export function AudienceField(props: AudienceFieldProps) {
  const me = useMe();
  return seesEverything(me) ? (
    <AnyAudienceField {...props} />
  ) : (
    <SelectField {...props} options={me.audiences} none="default" />
  );
}

/** Suggests the audiences that have a policy. */
function AnyAudienceField(props: AudienceFieldProps) {
  const id = useId();
  const { policies = [] } = usePolicies();
  const audiences = [everything, ...policies.map(({ audience }) => audience)];
  return (
    <>
      <DraftField {...props} list={id} placeholder="default" />
      <datalist id={id}>
        {audiences.map((audience) => (
          <option key={audience} value={audience} />
        ))}
      </datalist>
    </>
  );
}
