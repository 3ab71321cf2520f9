// Bundles the web console: a script, further ones for screens that are loaded later, one style sheet, and a page. Files are named by their
// hashes, so that browsers cache them permanently.
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export const consoleFolder = 'apps/console/';

/**
 * Adds the console to a build in progress. `sources` are the files of `apps/console` as they were fingerprinted, as
 * `{ file, content }`.
 */
export async function bundleConsole(root, draft, sources, rolldown) {
  const assets = join(draft, 'console', 'assets');
  await mkdir(assets, { recursive: true });
  const script = await bundleScript(root, assets, sources, rolldown);
  const style = await writeStyle(assets, sources);
  await compressAll(assets);
  const page = contentOf(sources, 'index.html')
    .replace('%script%', `/console/assets/${script.entry}`)
    .replace('<!-- preloads -->', script.imports.map(preloadOf).join('\n    '))
    .replace('%style%', `/console/assets/${style}`);
  await writeFile(join(draft, 'console', 'index.html'), page);
}

/** A browser finds these files before it has read the entry. */
function preloadOf(name) {
  return `<link rel="modulepreload" href="/console/assets/${name}" />`;
}

/** Returns the name of the entry, and the names of the files that it imports at once. */
async function bundleScript(root, assets, sources, rolldown) {
  const build = await rolldown({
    cwd: root,
    platform: 'browser',
    logLevel: 'silent',
    input: join(root, consoleFolder, 'src/main.tsx'),
    tsconfig: join(root, consoleFolder, 'tsconfig.json'),
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [fingerprintedSources(root, sources)],
  });
  try {
    const { output } = await build.write({
      dir: assets,
      format: 'esm',
      minify: true,
      entryFileNames: '[name]-[hash].js',
      chunkFileNames: '[name]-[hash].js',
    });
    const { fileName: entry, imports } = output.find(({ isEntry }) => isEntry);
    return { entry, imports };
  } finally {
    await build.close();
  }
}

/** Loads sources from memory, as they were fingerprinted. */
function fingerprintedSources(root, sources) {
  const contents = new Map(sources.map(({ file, content }) => [join(root, file), content]));
  return {
    name: 'fingerprinted-sources',
    load(id) {
      const content = contents.get(id.split('/').join(sep));
      if (!content) return undefined;
      return { code: content.toString(), moduleType: id.endsWith('.tsx') ? 'tsx' : 'ts' };
    },
  };
}

/** All style sheets in the order of their paths. */
async function writeStyle(assets, sources) {
  const text = sources
    .filter(({ file }) => file.endsWith('.css'))
    .map(({ content }) => content.toString())
    .join('\n');
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8);
  const name = `style-${hash}.css`;
  await writeFile(join(assets, name), text);
  return name;
}

async function compressAll(assets) {
  const names = await readdir(assets);
  await Promise.all(
    names.map(async (name) => {
      const file = join(assets, name);
      const bytes = await readFile(file);
      const level = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
      await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
      await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, level));
    }),
  );
}

function contentOf(sources, name) {
  const found = sources.find(({ file }) => file === `${consoleFolder}${name}`);
  if (!found) throw new Error(`${dirname(consoleFolder)} has no ${name}`);
  return found.content.toString();
}
