import { useCallback, useEffect, useRef, useState } from 'react';

import { apiPath } from '../../api/client.js';
import { useReader } from '../../api/use-api.js';
import { type Chain } from './chain.js';
import { runLimited } from './run-limited.js';

/** The result for one context: its chain, or why it could not be verified. */
export type Verification = Readonly<{ chain: Chain } | { error: string }>;

type Verifications = Readonly<{
  results: ReadonlyMap<string, Verification>;
  /** The number of contexts that are verified; undefined before the first start. */
  total: number | undefined;
  isRunning: boolean;
  start: (contextIds: readonly string[]) => void;
  stop: () => void;
}>;

/** Contexts that are verified at once. */
const maxAtOnce = 3;

/** Verifies several contexts, a few at once, until all are verified or `stop` is called. */
export function useVerifications(): Verifications {
  const read = useReader();
  const [results, setResults] = useState<ReadonlyMap<string, Verification>>(new Map());
  const [total, setTotal] = useState<number>();
  const [isRunning, setRunning] = useState(false);
  const ending = useRef<AbortController>(undefined);
  const stop = useCallback(() => {
    ending.current?.abort();
    setRunning(false);
  }, []);
  useEffect(() => () => ending.current?.abort(), []);
  const start = (contextIds: readonly string[]) => {
    const { signal } = (ending.current = new AbortController());
    setResults(new Map());
    setTotal(contextIds.length);
    setRunning(true);
    const verify = async (contextId: string) => {
      const result = await read<Chain>(apiPath('contexts', contextId, 'verify')).then(
        ({ body }) => ({ chain: body }),
        (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
      );
      if (!signal.aborted) setResults((before) => new Map(before).set(contextId, result));
    };
    void runLimited(contextIds, verify, { limit: maxAtOnce, signal }).then(() => {
      if (!signal.aborted) setRunning(false);
    });
  };
  return { results, total, isRunning, start, stop };
}
