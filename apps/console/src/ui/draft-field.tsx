import { useDraft } from './use-draft.js';

type DraftFieldProps = Readonly<{
  label: string;
  value: string;
  onChange: (text: string) => void;
  placeholder?: string;
  /** The id of a `datalist` with suggestions. */
  list?: string;
}>;

/** A text that takes effect on Enter, or if the field loses the focus. */
export function DraftField({ label, value, onChange, ...rest }: DraftFieldProps) {
  const [draft, setDraft] = useDraft(value);
  const apply = () => {
    if (draft.trim() !== value) onChange(draft.trim());
  };
  return (
    <label>
      {label}{' '}
      <input
        {...rest}
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
        onBlur={apply}
        onKeyDown={({ key }) => {
          if (key === 'Enter') apply();
        }}
      />
    </label>
  );
}
