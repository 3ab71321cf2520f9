import { type FormEvent, useEffect, useState } from 'react';

import { call } from '../../api/client.js';
import { Problem } from '../../api/problem.js';

const linkPrefix = '#sign-in=';

/** Signs in with a key, or with the code of the link that `start` prints. */
export function SignIn({ onSignedIn }: Readonly<{ onSignedIn: () => void }>) {
  const [fault, setFault] = useState<string>();
  const [isSending, setSending] = useState(false);
  const signIn = async (body: Readonly<{ key: string } | { code: string }>) => {
    setSending(true);
    try {
      await call('/console/session', { method: 'POST', body });
      onSignedIn();
    } catch (error) {
      setFault(error instanceof Problem ? error.message : 'the sign-in failed: try again');
      setSending(false);
    }
  };
  useEffect(() => {
    const code = takeCode();
    if (code !== undefined) void signIn({ code });
    // The link is used once.
    // oxlint-disable-next-line react/exhaustive-deps -- signIn is new in every rendering
  }, []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = new FormData(event.currentTarget).get('key');
    if (typeof key === 'string' && key.trim() !== '') void signIn({ key: key.trim() });
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

/** The code in the fragment of the address, which is removed so that it stays neither in the history nor on the screen. */
function takeCode(): string | undefined {
  const { hash, pathname, search } = window.location;
  if (!hash.startsWith(linkPrefix)) return undefined;
  window.history.replaceState(null, '', `${pathname}${search}`);
  return hash.slice(linkPrefix.length);
}
