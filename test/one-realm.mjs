/**
 * Jest runs each test file in a separate realm, in which errors of Node's built-ins are not instances of `Error`;
 * outside of Jest they are. This makes `instanceof Error` the same in both.
 */
const inherited = Function.prototype[Symbol.hasInstance];

Object.defineProperty(Error, Symbol.hasInstance, {
  configurable: true,
  value(candidate) {
    return this === Error ? Error.isError(candidate) : inherited.call(this, candidate);
  },
});
