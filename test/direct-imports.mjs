import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import swc from '@swc/jest';

const libs = join(import.meta.dirname, '..', 'libs');
/** Imports as swc writes them, on one line. */
const libraryImport = /^import \{([^}]*)\} from ["']#([a-z-]+)["'];/gm;
const reexport = /^export (?:\*|\{([^}]*)\}) from '(\.[^']+)\.js';/gm;
const declaration = /^export (?:abstract |async )?(?:const|function\*?|class) (\w+)/gm;

/**
 * Compiles like `@swc/jest`, and imports names of a library from the modules that declare them. Jest creates all
 * modules again for each suite; the index of `#testing` or `#application` would create many that the suite does not
 * use.
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

/** Preserves line numbers. A name that the index itself declares is imported from the index. */
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

/** The module below `libs` of each name that a library's index exports. */
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
    // Renamed exports are imported from the index.
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
