/** The screens of the console that exist in this version; a page without one of them has this heading. */
export const missing = 'There is no such page';

const phone = { width: 390, height: 844 };

/**
 * One entry for each picture: its name, its path below /console, the text that appears when the screen is complete, and optionally
 * the size of the window and what to do before the picture is taken.
 */
export const screens = [
  { name: 'contexts', path: '/', complete: 'Needs attention' },
  { name: 'timeline', path: '/contexts/login-build?order=newest', complete: 'v91' },
  { name: 'document', path: '/contexts/login-design/document', complete: 'decisionHistory' },
  { name: 'decisions', path: '/contexts/login-design/decisions', complete: 'session storage' },
  {
    name: 'knowledge',
    path: '/contexts/login-build/knowledge?decision=DEC-001',
    complete: 'Backups of the database',
  },
  {
    name: 'trace',
    path: '/contexts/login-build?event=85',
    complete: 'Causes and effects',
    act: async (page) => {
      await page.getByRole('link', { name: 'Causes and effects' }).click();
      await page.getByRole('heading', { name: 'Causes and effects' }).waitFor();
    },
  },
  {
    name: 'diff',
    path: '/contexts/login-passkeys/diff?against=login-design',
    complete: 'Changes in the other context',
  },
  {
    name: 'view',
    path: '/contexts/login-build/view?maxTokens=2000',
    complete: 'of 2000 tokens',
  },
  {
    name: 'run',
    path: '/contexts/release-1.1/run?step=approve',
    complete: 'waits for a person',
  },
  { name: 'runs', path: '/runs', complete: 'Nightly tests' },
  { name: 'inbox', path: '/inbox', complete: 'Inbox', act: openDecision },
  { name: 'inbox-phone', path: '/inbox', complete: 'Inbox', size: phone, act: openDecision },
  { name: 'audit', path: '/audit', complete: 'Verification' },
  { name: 'operations', path: '/operations/keys', complete: 'security-reviewer' },
];

async function openDecision(page) {
  await page.getByRole('button', { name: 'Support changes the address' }).click();
  await page.getByRole('region', { name: 'What it rests on' }).waitFor();
}
