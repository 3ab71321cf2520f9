/** How swc turns TypeScript into what Node runs: one set of options for `dist` and for jest. */
export const compilerOptions = {
  swcrc: false,
  module: { type: 'es6' },
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    transform: {
      // Nest reads constructor types at run time.
      legacyDecorator: true,
      decoratorMetadata: true,
      // As tsconfig.base.json says: parameter properties are set before fields.
      useDefineForClassFields: false,
    },
  },
};
