// Maps stack traces of bundled programs to their sources. Node would parse every source map while it loads a file, which
// takes longer than the rest of a command; here the first stack trace that needs a map reads it.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** URLs hold no spaces; parentheses may be part of a path. */
const position = /(file:\/\/\S+\.js):(\d+):(\d+)/;

/** Makes later stack traces show source positions instead of positions in the files of `folder`. */
export function traceToSources(folder) {
  const prefix = `${pathToFileURL(folder).href}/`;
  const maps = new Map();
  Error.prepareStackTrace = (error, frames) =>
    [headlineOf(error), ...frames.map((frame) => `    at ${inSource(String(frame))}`)].join('\n');

  function inSource(frame) {
    return frame.replace(position, (match, url, line, column) => {
      if (!url.startsWith(prefix)) return match;
      const entry = mapOf(fileURLToPath(url))?.findEntry(Number(line) - 1, Number(column) - 1);
      if (entry?.originalSource === undefined) return match;
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

/** Formats like V8, which also handles errors that cannot be converted to a string. */
function headlineOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return '<error>';
  }
}
