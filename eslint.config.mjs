import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/**', 'dist.*/**', 'node_modules/**', 'bench/**', '.throughline/**'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.base],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Name every export.' },
      ],
      'max-lines': ['error', { max: 200, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
      complexity: ['error', 8],
      'max-depth': ['error', 3],
    },
  },
  {
    files: ['**/*spec.ts', 'libs/testing/**', 'test/**'],
    rules: { 'max-lines-per-function': 'off', 'max-lines': 'off', complexity: 'off' },
  },
  // A migration is frozen SQL, read from top to bottom.
  { files: ['migrations/**'], rules: { 'max-lines-per-function': 'off' } },
  // Nest reads constructor parameter types at run time, so those imports must stay values.
  {
    files: ['apps/**', 'libs/application/**', 'libs/platform/**'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
);
