import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { whenSignedOut } from '../api/client.js';
import { useApi } from '../api/use-api.js';
import { SignIn } from '../screens/sign-in/sign-in.js';
import { Loading } from '../ui/states.js';
import { type SignedInPrincipal, MeContext } from '../session/me.js';
import { Routes } from './routes.js';
import { Shell } from './shell.js';

/** The console of whoever is signed in; otherwise the sign-in. */
export function App() {
  const client = useQueryClient();
  const [isSignedOut, setSignedOut] = useState(false);
  const me = useApi<SignedInPrincipal>(isSignedOut ? undefined : '/v1/me');
  useEffect(() => whenSignedOut(() => setSignedOut(true)), []);
  const signedIn = () => {
    client.clear();
    setSignedOut(false);
  };
  if (isSignedOut) return <SignIn onSignedIn={signedIn} />;
  if (!me.data) return <Loading of={me} />;
  return (
    <MeContext value={me.data.body}>
      <Shell>
        <Routes />
      </Shell>
    </MeContext>
  );
}
