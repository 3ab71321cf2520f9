import { type FormEvent, useState } from 'react';

import { call } from '../../api/client.js';
import { faultOf } from './fault.js';

type SignInProps = Readonly<{ onSignedIn: () => void; linkFault: string | undefined }>;

/** Signs in with a key. `linkFault`: why the sign-in link was refused. */
export function SignIn({ onSignedIn, linkFault }: SignInProps) {
  const [fault, setFault] = useState(linkFault);
  const [isSending, setSending] = useState(false);
  const signIn = async (key: string) => {
    setSending(true);
    try {
      await call('/console/session', { method: 'POST', body: { key } });
      onSignedIn();
    } catch (error) {
      setFault(faultOf(error));
      setSending(false);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = new FormData(event.currentTarget).get('key');
    if (typeof key === 'string' && key.trim() !== '') void signIn(key.trim());
    else setFault('Enter a key');
  };
  return (
    <main className="sign-in">
      <h1>Throughline</h1>
      <form onSubmit={submit}>
        <label htmlFor="key">Key</label>
        <input
          id="key"
          name="key"
          type="password"
          autoComplete="current-password"
          aria-describedby="key-help"
        />
        <p id="key-help" className="muted">
          The first start of the server writes the root key to <code>.throughline/root-key</code>.
          An administrator creates other keys. The key is sent once; afterwards a session cookie is
          used for 12 hours.
        </p>
        {!window.isSecureContext && (
          <p className="fault">
            This page was loaded without TLS from another machine, so the browser does not store the
            session. Use an address with <code>https</code>, or a tunnel to this machine.
          </p>
        )}
        {fault !== undefined && (
          <p role="alert" className="fault">
            {fault}
          </p>
        )}
        <button type="submit" disabled={isSending}>
          Sign in
        </button>
      </form>
    </main>
  );
}
