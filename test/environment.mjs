import vm from 'node:vm';

import { TestEnvironment } from 'jest-environment-node';

import { compileModulesOnce } from './compiled-once.mjs';

compileModulesOnce();

/** Of a stack trace. Jest takes a hundred, which is a sixth of the processor time of tests that refuse much. */
const frames = 20;

/**
 * Jest's environment for Node, whose global object is an ordinary one. Jest puts a proxy behind it, so that every use of
 * `Array`, `Object` or `Map` in a test is a call of that proxy: a quarter of the processor time of tests that compute.
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
