import vm from 'node:vm';

const { SourceTextModule, Script, compileFunction } = vm;
/** Code that V8 has compiled in this process, by the path of its module. */
const compiled = new Map();
/** The same for CommonJS modules. */
const scripts = new Map();
let isPatched = false;

/**
 * Makes Jest, which creates all modules again for each suite, compile each module once per process: compiling is an
 * eighth of the processor time of unit tests.
 */
export function compileModulesOnce() {
  if (isPatched) return;
  isPatched = true;
  vm.SourceTextModule = new Proxy(SourceTextModule, {
    construct: (_target, [code, options]) => recalled(code, options) ?? compileAnew(code, options),
  });
  vm.compileFunction = compileFunctionOnce;
}

function recalled(code, options) {
  const known = compiled.get(options.identifier);
  if (known?.code !== code) return undefined;
  try {
    return new SourceTextModule(code, { ...options, cachedData: known.data });
  } catch (error) {
    // V8 accepts compiled code only with the same flags, which a test may have changed.
    if (error.code !== 'ERR_VM_MODULE_CACHED_DATA_REJECTED') throw error;
    return undefined;
  }
}

function compileAnew(code, options) {
  const module = new SourceTextModule(code, options);
  compiled.set(options.identifier, { code, data: module.createCachedData() });
  return module;
}

/**
 * For Jest's own modules and those of packages. A script that creates the function runs in the context of each suite;
 * it also stores the functions that V8 compiled at its first call.
 */
function compileFunctionOnce(code, parameters, options) {
  const { filename, parsingContext, importModuleDynamically, ...others } = options ?? {};
  if (!filename || !parsingContext || Object.keys(others).length > 0)
    return compileFunction(code, parameters, options);
  const head = `(function (${parameters}) {`;
  let script = scripts.get(filename);
  if (script?.code !== code || script.head !== head) {
    script = newScript(code, head, filename);
    // For invalid code, the usual error is thrown.
    if (!script) return compileFunction(code, parameters, options);
    scripts.set(filename, script);
  }
  // A process runs one suite at a time, and only the code of that suite imports.
  script.importModule = importModuleDynamically;
  return script.compiled.runInContext(parsingContext);
}

function newScript(code, head, filename) {
  const script = { code, head };
  const importModuleDynamically = (...args) => script.importModule(...args);
  try {
    script.compiled = new Script(`${head}${code}\n})`, {
      ...{ filename, columnOffset: -head.length, importModuleDynamically },
    });
    return script;
  } catch {
    return undefined;
  }
}
