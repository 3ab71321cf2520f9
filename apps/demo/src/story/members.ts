/** The members of the team that have a key. The security reviewer sees what the policy `security` shows. */
export const members = [
  { name: 'product-owner', role: 'operator', agentId: 'product-owner' },
  { name: 'auditor', role: 'auditor' },
  { name: 'analyst', role: 'agent', agentId: 'analyst' },
  { name: 'architect', role: 'agent', agentId: 'architect' },
  { name: 'developer-api', role: 'agent', agentId: 'developer-api' },
  { name: 'developer-web', role: 'agent', agentId: 'developer-web' },
  { name: 'tester', role: 'agent', agentId: 'tester' },
  {
    name: 'security-reviewer',
    role: 'agent',
    agentId: 'security-reviewer',
    audiences: ['security'],
  },
  { name: 'release-manager', role: 'agent', agentId: 'release-manager' },
] as const;

/** The administrator has the root key. */
export type MemberName = 'admin' | (typeof members)[number]['name'];
