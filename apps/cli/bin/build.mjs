// Compiles apps, libs and migrations into `dist` when they changed, and bundles the programs. Types are checked by
// `npm test`, not here: swc strips them in well under a second, with the options the tests run under.
//
// Every build is a directory of its own, named by the fingerprint of its sources: `dist.<fingerprint>`. `dist` is
// a link to the current one, swapped atomically. So two builds at once cannot disturb each other, nobody ever sees
// half a build, and a server that runs from an older build keeps its files.
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

const buildsKept = 3;
/** As swc writes it; `import()` too. */
const packageImport = /((?:\bfrom |\bimport |\bimport\())["']@throughline\/([a-z]+)["']/g;

/** One sentence for the person at the terminal. */
export class BuildError extends Error {}

/**
 * Makes `dist` match the sources and answers whether it had to build. Where there are no sources (an image that
 * holds `dist` only) `dist` is taken as it is.
 */
export async function buildIfStale(root, { report }) {
  if (!(await exists(join(root, 'libs')))) {
    if (await exists(join(root, 'dist', 'apps'))) return false;
    throw new BuildError('neither sources nor a build are here; install the project again.');
  }
  // Taken first: what changes while the sources are read has another stamp.
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
    // Another start has put the same build there.
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
  const code = withPackagesHere(file, compiled);
  await writeFile(output, `${code}\n//# sourceMappingURL=${basename(output)}.map\n`);
  await writeFile(`${output}.map`, map);
  return [file.replace(/\.ts$/, '.js'), { code, map }];
}

/**
 * The packages of this repository are part of the build; where npm has linked them, they are sources. Lines keep their numbers.
 */
function withPackagesHere(file, code) {
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

/** Points `dist` at the build: a new link renamed over the old one is the only step anybody can observe. */
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
  for (const { name } of builds.slice(buildsKept - 1))
    await rm(join(root, name), { recursive: true, force: true });
}

/**
 * Read once: what is compiled is what was fingerprinted, even while somebody is editing. In one go, which costs a
 * quarter of reading hundreds of small files one promise after the other: every command waits for it.
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
 * What npm has installed, as a hash: the bundle holds code of packages. Without the file in which npm lists it, as in an
 * installation that other tools made, it is what the current build was made with.
 */
async function installedPackages(root) {
  const listed = await readFile(join(root, installed)).catch(() => undefined);
  if (listed) return createHash('sha256').update(listed).digest('hex');
  return (await builtWith(join(root, 'dist')))?.packages ?? '';
}

async function builtFingerprint(dist) {
  return (await builtWith(dist))?.fingerprint;
}

async function builtWith(dist) {
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
