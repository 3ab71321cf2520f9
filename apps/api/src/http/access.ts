import { type IncomingHttpHeaders } from 'node:http';

import { ForbiddenError, type Principal, type Role } from '#application';

import { type Access } from './endpoint.js';
import { readWorkspace } from './headers.js';

const rolesFor: Readonly<Record<Access, readonly Role[]>> = {
  public: ['agent', 'operator', 'auditor', 'admin'],
  read: ['agent', 'operator', 'auditor', 'admin'],
  write: ['agent', 'operator', 'admin'],
  operate: ['operator', 'admin'],
  audit: ['auditor', 'admin'],
  admin: ['admin'],
  root: ['admin'],
};

/**
 * Refuses by role before anything is looked up, so that 403 comes before 404. The application holds the same
 * rules, and the finer ones, for callers that do not come over HTTP.
 */
export function requireAccess(
  access: Access,
  principal: Principal,
  headers: IncomingHttpHeaders,
): void {
  const workspace = readWorkspace(headers);
  if (workspace !== undefined && workspace !== principal.workspace)
    throw new ForbiddenError('only the root key names a workspace');
  if (!rolesFor[access].includes(principal.role))
    throw new ForbiddenError(`a key of role ${principal.role} may not do this`);
  if (access === 'root' && !principal.isRoot)
    throw new ForbiddenError('only the root key may do this: it concerns every workspace');
}
