import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { send } from '../api/client.js';
import { Link } from '../navigation/link.js';
import { reportSession } from '../session/other-tabs.js';
import { type SignedInPrincipal, isPerson, useMe } from '../session/me.js';

type Entry = Readonly<{ to: string; label: string; isFor?: (me: SignedInPrincipal) => boolean }>;

const entries: readonly Entry[] = [
  { to: '/', label: 'Contexts' },
  { to: '/inbox', label: 'Inbox' },
  { to: '/runs', label: 'Runs' },
  { to: '/audit', label: 'Audit', isFor: isPerson },
  { to: '/operations', label: 'Operations', isFor: isPerson },
];

/** The frame of every screen: navigation, the principal, and the main part. */
export function Shell({ children }: Readonly<{ children: ReactNode }>) {
  const me = useMe();
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="bar">
        <strong className="brand">Throughline</strong>
        <nav aria-label="Main">
          {entries
            .filter(({ isFor }) => isFor?.(me) ?? true)
            .map(({ to, label }) => (
              <Link key={to} to={to} section={to === '/' ? '/contexts/' : `${to}/`}>
                {label}
              </Link>
            ))}
        </nav>
        <Account />
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

function Account() {
  const me = useMe();
  const client = useQueryClient();
  const [isRefused, setRefused] = useState(false);
  const signOut = async () => {
    await send('/console/session', { method: 'DELETE' });
    reportSession();
    client.clear();
    // Without a cookie, the next read shows the sign-in.
    await client.refetchQueries();
    window.location.reload();
  };
  return (
    <div className="account">
      {isRefused && <strong role="alert">Not signed out: the server does not answer</strong>}
      <span>
        {me.principal} · {me.role} · {me.workspace}
      </span>
      <button type="button" onClick={() => void signOut().catch(() => setRefused(true))}>
        Sign out
      </button>
    </div>
  );
}
