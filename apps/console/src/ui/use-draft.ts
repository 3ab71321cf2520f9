import { useState } from 'react';

/** The text of a field while a person edits it. It becomes the value of the address whenever that changes. */
export function useDraft(value: string): readonly [string, (text: string) => void] {
  const [draft, setDraft] = useState({ value, text: value });
  const text = draft.value === value ? draft.text : value;
  return [text, (changed) => setDraft({ value, text: changed })];
}
