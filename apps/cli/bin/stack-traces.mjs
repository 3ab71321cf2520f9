// Stack traces that name the sources, for programs out of a bundle. Node would read and parse every map while it loads
// the file, which takes longer than anything else a command does; here the first trace that needs a map reads it.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** URLs hold no spaces; parentheses may be part of a path. */
const position = /(file:\/\/\S+\.js):(\d+):(\d+)/;

/** Makes every stack trace from here on show positions of the sources instead of those in the files of the folder. */
export function traceToSources(folder) {
  const prefix = `${pathToFileURL(folder).href}/`;
  const maps = new Map();
  Error.prepareStackTrace = (error, frames) =>
    [headlineOf(error), ...frames.map((frame) => `    at ${inSource(String(frame))}`)].join('\n');

  function inSource(frame) {
    return frame.replace(position, (shown, url, line, column) => {
      if (!url.startsWith(prefix)) return shown;
      const entry = mapOf(fileURLToPath(url))?.findEntry(Number(line) - 1, Number(column) - 1);
      if (entry?.originalSource === undefined) return shown;
      const source = resolve(folder, entry.originalSource);
      return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    });
  }

  function mapOf(file) {
    if (!maps.has(file)) maps.set(file, readMap(file));
    return maps.get(file);
  }
}

function readMap(file) {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}

/** As V8 writes it, which survives errors that cannot be made a string. */
function headlineOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return '<error>';
  }
}
