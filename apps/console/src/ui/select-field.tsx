type SelectFieldProps = Readonly<{
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly string[];
  /** The label of the empty value. */
  none: string;
}>;

/** One of several values, or none. A value that is no longer an option stays selectable. */
export function SelectField({ label, value, onChange, options, none }: SelectFieldProps) {
  const shown = value === '' || options.includes(value) ? options : [...options, value];
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{none}</option>
        {shown.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </label>
  );
}
