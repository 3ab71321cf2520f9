import vm from 'node:vm';

import { TestEnvironment } from 'jest-environment-node';

import { compileModulesOnce } from './compiled-once.mjs';

compileModulesOnce();

/**
 * The number of frames in a stack trace. Jest uses a hundred, which takes a sixth of the processor time of tests with
 * many errors.
 */
const frames = 20;

/**
 * Jest's environment for Node with an ordinary global object. Jest wraps it in a proxy, so that each use of `Array`,
 * `Object` or `Map` in a test calls the proxy: a quarter of the processor time of tests that compute.
 */
export default class OrdinaryGlobals extends TestEnvironment {
  constructor(config, context) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
    this.global.Error.stackTraceLimit = frames;
  }
}
