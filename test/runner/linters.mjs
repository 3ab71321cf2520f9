/** Programs that check the text of the whole project in seconds, including the users of a changed file. */
export const linters = [
  ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  ['oxfmt/bin/oxfmt', '--check', '.'],
  ['../test/prose/run.mjs'],
];
