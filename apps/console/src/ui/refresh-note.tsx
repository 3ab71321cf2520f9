import { useQueryClient } from '@tanstack/react-query';

import { isLongList, startsWith } from '../api/use-api.js';

type RefreshNoteProps = Readonly<{ data: unknown; path: string }>;

/** Says that a long list is not refreshed by itself, with a button that reads it again from its start. */
export function RefreshNote({ data, path }: RefreshNoteProps) {
  const client = useQueryClient();
  if (!isLongList(data)) return null;
  const restart = () =>
    void client.resetQueries({
      predicate: ({ queryKey, state }) => startsWith(queryKey, path) && isLongList(state.data),
    });
  return (
    <p className="muted">
      A list of this length is not refreshed by itself.{' '}
      <button type="button" onClick={restart}>
        Start again
      </button>
    </p>
  );
}
