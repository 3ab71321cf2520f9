import { type MemberName } from './members.js';

export type Task = Readonly<{
  by: MemberName & ('developer-api' | 'developer-web');
  id: string;
  title: string;
  dependsOn?: readonly string[];
  files: readonly string[];
  tests: number;
}>;

export const tasks: readonly Task[] = [
  {
    by: 'developer-api',
    id: 'T-1',
    title: 'Tables for codes and sessions',
    files: ['migrations/0042_login.sql'],
    tests: 4,
  },
  {
    by: 'developer-api',
    id: 'T-2',
    title: 'Create a code and send it',
    dependsOn: ['T-1'],
    files: ['src/login/code.ts', 'src/login/code-mail.ts'],
    tests: 11,
  },
  {
    by: 'developer-api',
    id: 'T-3',
    title: 'Check a code and open a session',
    dependsOn: ['T-2'],
    files: ['src/login/session.ts'],
    tests: 14,
  },
  {
    by: 'developer-api',
    id: 'T-4',
    title: 'Limit requests per address',
    dependsOn: ['T-2'],
    files: ['src/login/limit.ts'],
    tests: 7,
  },
  {
    by: 'developer-api',
    id: 'T-5',
    title: 'End all sessions of a customer',
    dependsOn: ['T-3'],
    files: ['src/login/log-out.ts'],
    tests: 5,
  },
  {
    by: 'developer-web',
    id: 'T-6',
    title: 'Page for the e-mail address',
    files: ['web/login/address.html'],
    tests: 6,
  },
  {
    by: 'developer-web',
    id: 'T-7',
    title: 'Page for the code',
    dependsOn: ['T-6'],
    files: ['web/login/code.html', 'web/login/code.css'],
    tests: 9,
  },
  {
    by: 'developer-web',
    id: 'T-8',
    title: 'Menu with the name of the customer',
    dependsOn: ['T-7'],
    files: ['web/parts/menu.html'],
    tests: 3,
  },
  {
    by: 'developer-web',
    id: 'T-9',
    title: 'Button to log out on all devices',
    dependsOn: ['T-5'],
    files: ['web/account/devices.html'],
    tests: 4,
  },
];
