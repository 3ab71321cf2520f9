/** Programs that check the text of the whole project in seconds; also the files that use what changed. */
export const linters = [
  ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  ['oxfmt/bin/oxfmt', '--check', '.'],
];
