import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { whenSignedOut } from '../api/client.js';
import { useApi } from '../api/use-api.js';
import { SignIn } from '../screens/sign-in/sign-in.js';
import { useSignInLink } from '../screens/sign-in/use-sign-in-link.js';
import { Loading } from '../ui/states.js';
import { type SignedInPrincipal, MeContext } from '../session/me.js';
import { reportSession, whenSessionChanges } from '../session/other-tabs.js';
import { Routes } from './routes.js';
import { Shell } from './shell.js';

/** The console of whoever is signed in; otherwise the sign-in. */
export function App() {
  const client = useQueryClient();
  const [isSignedOut, setSignedOut] = useState(false);
  useEffect(() => whenSignedOut(() => setSignedOut(true)), []);
  // The other principal may see other things: nothing of the earlier one stays on the page.
  useEffect(() => whenSessionChanges(() => window.location.reload()), []);
  const link = useSignInLink();
  const me = useApi<SignedInPrincipal>(isSignedOut || link.isPending ? undefined : '/v1/me');
  const signedIn = () => {
    client.clear();
    reportSession();
    setSignedOut(false);
  };
  if (isSignedOut) return <SignIn onSignedIn={signedIn} linkFault={link.fault} />;
  if (!me.data) return <Loading of={me} />;
  return (
    <MeContext value={me.data.body}>
      <Shell>
        <Routes />
      </Shell>
    </MeContext>
  );
}
