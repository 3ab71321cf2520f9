const cache = 'node_modules/.cache/throughline';

/** It lints the whole project in seconds, so that a change is also checked in the files that use what changed. */
export const oxlint = ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings'];

/** Files are checked again if their text, the configuration or the formatter changed. */
export const prettier = [
  'prettier/bin/prettier.cjs',
  ...['--check', '--log-level=warn'],
  ...['--cache', '--cache-strategy=content', `--cache-location=${cache}/prettier`],
];
