import { useEffect, useState } from 'react';

import { call } from '../../api/client.js';
import { reportSession } from '../../session/other-tabs.js';
import { faultOf } from './fault.js';

const linkPrefix = '#sign-in=';

/** `isPending`: the code is being sent, and the session is not known yet. `fault`: why the server refused it. */
type LinkState = Readonly<{ isPending: boolean; fault?: string }>;

/**
 * Signs in with the code of the link that `start` prints, also if the browser has a session of another key. A session
 * remains if the code is refused: another tab may have used it.
 */
export function useSignInLink(): LinkState {
  const [code] = useState(codeInAddress);
  const [state, setState] = useState<LinkState>({ isPending: code !== undefined });
  useEffect(() => {
    if (code === undefined) return;
    // The code must stay neither in the history nor on the screen.
    const { pathname, search } = window.location;
    window.history.replaceState(null, '', `${pathname}${search}`);
    void call('/console/session', { method: 'POST', body: { code } }).then(
      () => {
        reportSession();
        setState({ isPending: false });
      },
      (error: unknown) => setState({ isPending: false, fault: faultOf(error) }),
    );
  }, [code]);
  return state;
}

function codeInAddress(): string | undefined {
  const { hash } = window.location;
  return hash.startsWith(linkPrefix) ? hash.slice(linkPrefix.length) : undefined;
}
