/** The swc options, the same for `dist` and for jest. */
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
      // As in tsconfig.base.json: parameter properties are assigned before fields.
      useDefineForClassFields: false,
    },
  },
};
