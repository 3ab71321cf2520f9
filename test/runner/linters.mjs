const cache = 'node_modules/.cache/throughline';

/**
 * Files are linted again if their text, the configuration or the linter changed. If a function becomes asynchronous, the cache
 * hides the promises that float in files which call it; a clean clone has no cache and finds them.
 */
export const eslint = [
  'eslint/bin/eslint.js',
  ...['--cache', '--cache-strategy=content', `--cache-location=${cache}/eslint`],
];

export const prettier = [
  'prettier/bin/prettier.cjs',
  ...['--check', '--log-level=warn'],
  ...['--cache', '--cache-strategy=content', `--cache-location=${cache}/prettier`],
];
