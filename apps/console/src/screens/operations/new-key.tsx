import { useEffect, useRef, useState } from 'react';

import { AgentText } from '../../ui/agent-text.js';
import { type CreatedKey } from './key.js';

type NewKeyProps = Readonly<{ created: CreatedKey; onClose: () => void }>;

/** The secret of a new key, which neither the server nor the console shows again. */
export function NewKey({ created: { role, agentId, secret }, onClose }: NewKeyProps) {
  const frame = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [message, setMessage] = useState('');
  useEffect(() => frame.current?.focus(), []);
  const copy = async () => {
    field.current?.select();
    setMessage(await copyText(secret));
  };
  return (
    <section className="new-key" ref={frame} tabIndex={-1} aria-label="The new key">
      <h3>
        The new key: {role}
        {agentId !== null && (
          <>
            {' '}
            of <AgentText text={agentId} />
          </>
        )}
      </h3>
      <p>
        The secret is shown only now. Store it where only its owner can read it: the server has only
        its hash.
      </p>
      <label>
        Secret <input ref={field} readOnly value={secret} autoComplete="off" />
      </label>
      <div className="acts">
        <button type="button" className="primary" onClick={() => void copy()}>
          Copy
        </button>
        <button type="button" onClick={onClose}>
          I have stored it
        </button>
        <span role="status">{message}</span>
      </div>
    </section>
  );
}

/** Browsers refuse the clipboard to pages without TLS, except on this machine. */
async function copyText(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied';
  } catch {
    return 'The browser refused it: the secret is selected, copy it with the keyboard';
  }
}
