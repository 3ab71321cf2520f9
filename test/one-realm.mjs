/**
 * Jest runs each test file in a realm of its own, where errors of Node's built-ins are no instances of `Error`;
 * outside of Jest they are. This makes `instanceof Error` say the same in both.
 */
const inherited = Function.prototype[Symbol.hasInstance];

Object.defineProperty(Error, Symbol.hasInstance, {
  configurable: true,
  value(candidate) {
    return this === Error ? Error.isError(candidate) : inherited.call(this, candidate);
  },
});
