import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import swc from '@swc/jest';

const libs = join(import.meta.dirname, '..', 'libs');
/** As swc writes it: on one line. */
const libraryImport = /^import \{([^}]*)\} from ["']#([a-z-]+)["'];/gm;
const reexport = /^export (?:\*|\{([^}]*)\}) from '(\.[^']+)\.js';/gm;
const declaration = /^export (?:abstract |async )?(?:const|function\*?|class) (\w+)/gm;

/**
 * Compiles as `@swc/jest` does, and has what a module imports of a library come from the modules that declare it. Jest makes all modules
 * anew for each suite; by way of the index of `#testing` or `#application` it would make many that the suite never uses.
 */
export default {
  createTransformer(options) {
    const compiler = swc.createTransformer(options);
    const libraries = readLibraries();
    const basis = readFileSync(import.meta.filename, 'utf8') + JSON.stringify(libraries);
    const direct = ({ code, ...others }, path) => {
      const replace = (...match) => importDirectly(libraries, path, match);
      return { ...others, code: code.replaceAll(libraryImport, replace) };
    };
    return {
      ...compiler,
      process: (...args) => direct(compiler.process(...args), args[1]),
      processAsync: async (...args) => direct(await compiler.processAsync(...args), args[1]),
      getCacheKey: (...args) =>
        createHash('sha1')
          .update(basis)
          .update(compiler.getCacheKey(...args))
          .digest('hex'),
    };
  },
};

/** Lines keep their numbers. A name that the index makes by itself is imported from there. */
function importDirectly(libraries, path, [statement, names, library]) {
  const modules = new Map();
  for (const name of splitNames(names)) {
    const [imported] = name.split(' as ');
    const module = libraries[library]?.[imported];
    if (!module) return statement;
    modules.set(module, [...(modules.get(module) ?? []), name]);
  }
  return [...modules]
    .map(([module, list]) => {
      const place = relative(dirname(path), join(libs, `${module}.js`));
      return `import { ${list.join(', ')} } from '${place.startsWith('.') ? place : `./${place}`}';`;
    })
    .join(' ');
}

/** By library and name, the module below `libs` that a library's index has the name from. */
function readLibraries() {
  const indexes = readdirSync(libs).map((name) => [name, `${name}/src/index`]);
  const known = indexes.filter(([, index]) => existsSync(join(libs, `${index}.ts`)));
  return Object.fromEntries(known.map(([name, index]) => [name, readExports(index)]));
}

function readExports(index) {
  const found = {};
  for (const [, names, specifier] of read(index).matchAll(reexport)) {
    const module = join(dirname(index), specifier);
    if (names === undefined) Object.assign(found, readDeclared(module), readExports(module));
    // Renamed ones are left to the index.
    else for (const name of splitNames(names)) if (/^\w+$/.test(name)) found[name] = module;
  }
  return found;
}

function readDeclared(module) {
  return Object.fromEntries(
    [...read(module).matchAll(declaration)].map(([, name]) => [name, module]),
  );
}

function read(module) {
  return readFileSync(join(libs, `${module}.ts`), 'utf8');
}

function splitNames(text) {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}
