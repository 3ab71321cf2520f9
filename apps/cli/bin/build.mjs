// Compiles apps, libs and migrations into `dist` when they changed, and bundles the programs. Types are checked by
// `npm test`, not here: swc strips them in well under a second, with the options the tests run under.
//
// Each build has its own directory `dist.<fingerprint>`, named by the fingerprint of its sources. `dist` is a link to
// the current build and is replaced atomically. So concurrent builds do not disturb each other, no process reads a
// partial build, and a server that runs from an older build keeps its files.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  lstat,
  mkdir,
  readFile,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';

import { bundle, loadBundler } from './bundle.mjs';
import { compilerOptions } from './compiler-options.mjs';
import { bundleConsole, consoleFolder } from './console.mjs';
import { installed, listSources, settings, stampOf, writeStamp } from './sources.mjs';

const maxBuilds = 3;
/** An import of a package of this repository in the output of swc, static or dynamic. */
const packageImport = /((?:\bfrom |\bimport |\bimport\())["']@throughline\/([a-z]+)["']/g;

/** One sentence for the person at the terminal. */
export class BuildError extends Error {}

/**
 * Brings `dist` up to date and returns whether it built. Without sources (an image that contains `dist` only), `dist`
 * is used unchanged.
 */
export async function buildIfStale(root, { report }) {
  if (!(await exists(join(root, 'libs')))) {
    if (await exists(join(root, 'dist', 'apps'))) return false;
    throw new BuildError('found neither sources nor a build; install the project again.');
  }
  // The stamp is computed first: a file that changes during the read then has another stamp.
  const stamp = stampOf(root);
  const sources = readSources(root);
  const fingerprint = await fingerprintOf(root, sources);
  if ((await builtFingerprint(join(root, 'dist'))) === fingerprint) {
    writeStamp(root, fingerprint, stamp);
    return false;
  }
  const started = performance.now();
  report('throughline: building ...');
  await makeCurrent(root, await build(root, sources, fingerprint), fingerprint);
  writeStamp(root, fingerprint, stamp);
  await removeOldBuilds(root, fingerprint);
  report(`throughline: built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return true;
}

async function build(root, sources, fingerprint) {
  const target = `dist.${fingerprint}`;
  if ((await builtFingerprint(join(root, target))) === fingerprint) return target;
  const draft = join(root, `dist.draft-${process.pid}`);
  await rm(draft, { recursive: true, force: true });
  const transform = await loadCompiler();
  const [ofConsole, ofServer] = partition(sources, ({ file }) => file.startsWith(consoleFolder));
  const modules = await Promise.all(ofServer.map((source) => emit(root, draft, source, transform)));
  await bundleAll(root, draft, { modules: new Map(modules.filter(Boolean)), ofConsole });
  const packages = await installedPackages(root);
  await writeFile(join(draft, '.build.json'), JSON.stringify({ fingerprint, packages }));
  await rename(draft, join(root, target)).catch(async (error) => {
    await rm(draft, { recursive: true, force: true });
    // Another process has created the same build.
    if ((await builtFingerprint(join(root, target))) !== fingerprint) throw error;
  });
  return target;
}

async function bundleAll(root, draft, { modules, ofConsole }) {
  const rolldown = await loadBundler();
  if (!rolldown) return;
  await bundle(root, draft, modules, rolldown).catch((cause) => {
    throw new BuildError(`the programs cannot be bundled:\n${cause.message}`, { cause });
  });
  await bundleConsole(root, draft, ofConsole, rolldown).catch((cause) => {
    throw new BuildError(`the console cannot be bundled:\n${cause.message}`, { cause });
  });
}

function partition(list, belongs) {
  return [list.filter((one) => belongs(one)), list.filter((one) => !belongs(one))];
}

/** Returns the path of a module in the build, with its code and source map; undefined for other files. */
async function emit(root, draft, { file, content }, transform) {
  const target = join(draft, file);
  await mkdir(dirname(target), { recursive: true });
  if (!file.endsWith('.ts')) return void (await writeFile(target, content));
  const output = target.replace(/\.ts$/, '.js');
  const filename = join(root, file);
  const { code: compiled, map } = await transform(content.toString(), {
    ...compilerOptions,
    sourceMaps: true,
    filename,
    sourceFileName: filename,
  }).catch((cause) => {
    throw new BuildError(`${file} does not compile:\n${cause.message}`, { cause });
  });
  const code = withBuiltPackages(file, compiled);
  await writeFile(output, `${code}\n//# sourceMappingURL=${basename(output)}.map\n`);
  await writeFile(`${output}.map`, map);
  return [file.replace(/\.ts$/, '.js'), { code, map }];
}

/**
 * Imports packages of this repository from the build: the packages that npm links are TypeScript sources. Line numbers
 * stay the same.
 */
function withBuiltPackages(file, code) {
  return code.replaceAll(packageImport, (_, start, name) => {
    const path = relative(dirname(file), `packages/${name}/src/index.js`).replaceAll(sep, '/');
    return `${start}"${path.startsWith('.') ? path : `./${path}`}"`;
  });
}

async function loadCompiler() {
  try {
    return (await import('@swc/core')).transform;
  } catch (cause) {
    throw new BuildError(
      'the sources have changed since dist was built, and the compiler is not installed: run "npm ci".',
      {
        cause,
      },
    );
  }
}

/** Points `dist` at the build. Renames a new link over the old one, so that other processes see one or the other. */
async function makeCurrent(root, target, fingerprint) {
  const dist = join(root, 'dist');
  const link = join(root, `dist.link-${process.pid}`);
  await rm(link, { force: true });
  await symlink(process.platform === 'win32' ? join(root, target) : target, link, 'junction');
  try {
    await rename(link, dist);
  } catch (error) {
    // `dist` is a directory (another tool made it), or this platform does not rename over links.
    if ((await builtFingerprint(dist)) !== fingerprint) {
      await rename(dist, join(root, `dist.draft-${process.pid}-replaced`)).catch(() => undefined);
      await rename(link, dist).catch(() => Promise.reject(error));
    }
  } finally {
    await rm(link, { force: true });
  }
}

async function removeOldBuilds(root, fingerprint) {
  const names = (await readdir(root)).filter((name) =>
    /^dist\.(draft-|link-|[0-9a-f]{16}$)/.test(name),
  );
  const current = await readlink(join(root, 'dist')).catch(() => `dist.${fingerprint}`);
  const builds = [];
  for (const name of names) {
    const owner = /^dist\.(?:draft|link)-(\d+)/.exec(name)?.[1];
    if (owner !== undefined && isAlive(Number(owner))) continue;
    if (owner !== undefined) await rm(join(root, name), { recursive: true, force: true });
    else if (!current.endsWith(name)) builds.push({ name, at: await modifiedAt(join(root, name)) });
  }
  builds.sort((left, right) => right.at - left.at);
  for (const { name } of builds.slice(maxBuilds - 1))
    await rm(join(root, name), { recursive: true, force: true });
}

/**
 * Reads each source once, so that the compiled text is the fingerprinted text even if a file changes meanwhile.
 * Synchronous reads of hundreds of small files take a quarter of the time of promises.
 */
function readSources(root) {
  return listSources(root).map((file) => ({ file, content: readFileSync(join(root, file)) }));
}

async function fingerprintOf(root, sources) {
  const hash = createHash('sha256');
  for (const { file, content } of sources)
    hash.update(`${file} ${content.length}\n`).update(content);
  for (const file of settings) hash.update(await readFile(join(root, file)));
  hash.update(await installedPackages(root));
  return hash.digest('hex').slice(0, 16);
}

/**
 * Returns a hash of the installed packages, because the bundle contains code of packages. Without npm's list (in an
 * installation by another tool), returns the hash of the current build.
 */
async function installedPackages(root) {
  const listed = await readFile(join(root, installed)).catch(() => undefined);
  if (listed) return createHash('sha256').update(listed).digest('hex');
  return (await readBuildInfo(join(root, 'dist')))?.packages ?? '';
}

async function builtFingerprint(dist) {
  return (await readBuildInfo(dist))?.fingerprint;
}

async function readBuildInfo(dist) {
  try {
    return JSON.parse(await readFile(join(dist, '.build.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function modifiedAt(path) {
  return (await stat(path).catch(() => ({ mtimeMs: 0 }))).mtimeMs;
}

async function exists(path) {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
