import { useEffect, useRef, useState } from 'react';

import { apiPath, send } from '../../api/client.js';
import {
  type Ending,
  type ExportChoice,
  endingOf,
  eventsFormat,
  fileNameOf,
} from './export-formats.js';

/** The state of a download. */
export type ExportState =
  | Readonly<{ step: 'idle' | 'stopped' }>
  | Readonly<{ step: 'reading'; bytes: number }>
  | Readonly<{ step: 'refused'; error: unknown }>
  | Readonly<{ step: 'broken'; ending: Exclude<Ending, 'complete'> }>
  | Readonly<{ step: 'saved'; bytes: number; fileName: string; notCarried: string | null }>;

/** Bytes at the end of an export that contain its last line. */
const tailBytes = 4096;

/** Downloads exports as files, and reports the bytes while they arrive. */
export function useExport(contextId: string, choice: ExportChoice) {
  const [state, setState] = useState<ExportState>({ step: 'idle' });
  const ending = useRef<AbortController>(undefined);
  useEffect(() => () => ending.current?.abort(), []);
  const stop = () => {
    ending.current?.abort();
    setState({ step: 'stopped' });
  };
  const start = async () => {
    const { signal } = (ending.current = new AbortController());
    setState({ step: 'reading', bytes: 0 });
    try {
      const path = apiPath('contexts', contextId, 'export');
      const { headers, body } = await send(path, { query: choice, signal });
      const file = await collect(body, (bytes) => {
        if (!signal.aborted) setState({ step: 'reading', bytes });
      });
      const fileEnding = choice.format === eventsFormat ? await endOf(file) : 'complete';
      if (fileEnding !== 'complete') return setState({ step: 'broken', ending: fileEnding });
      const fileName = fileNameOf(headers, contextId, choice);
      save(file, fileName);
      const notCarried = headers.get('not-carried');
      return setState({ step: 'saved', bytes: file.size, fileName, notCarried });
    } catch (error) {
      if (!signal.aborted) setState({ step: 'refused', error });
    }
  };
  return { state, start, stop };
}

/** The body as a blob, which the browser may store outside of its memory. */
function collect(body: Response['body'], report: (bytes: number) => void): Promise<Blob> {
  let bytes = 0;
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      report(bytes);
      controller.enqueue(chunk);
    },
  });
  return new Response(body?.pipeThrough(counting) ?? null).blob();
}

async function endOf(file: Blob): Promise<Ending> {
  return endingOf(await file.slice(-tailBytes).text());
}

function save(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The download has its own reference to the blob once it has started.
  setTimeout(() => URL.revokeObjectURL(url), revokeMs);
}

/** Milliseconds after which the address of a file is given up. */
const revokeMs = 60_000;
