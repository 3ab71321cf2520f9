import { type SignedInPrincipal, seesEverything } from '../../session/me.js';

/** Audiences that every workspace has; others are defined by policies. */
const builtIn = ['all', 'developer', 'reviewer', 'failure-analyst', 'retrospective'];

/** The audiences that a key may read for. A key that sees everything may also name those that policies define. */
export function audiencesOf(me: SignedInPrincipal): readonly string[] {
  return seesEverything(me) ? [...new Set([...me.audiences, ...builtIn])] : me.audiences;
}
