// Allows plain Node to run the sources, for tests that need a second process: node --conditions=source
// --experimental-transform-types --import <this file> script.ts
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('.') || !context.parentURL?.endsWith('.ts'))
      return next(specifier, context);
    return next(specifier.replace(/\.js$/, '.ts'), context);
  },
});
