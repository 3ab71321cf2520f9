import { useDraft } from '../../ui/use-draft.js';
import { scaleSteps, stepOf, tokensAt } from './budget-scale.js';

type BudgetFieldProps = Readonly<{
  label: string;
  /** The tokens, or empty for the default. */
  value: string;
  /** What an empty budget means: its name, and its tokens, which the slider shows. */
  otherwise?: Readonly<{ name: string; tokens: string }>;
  onChange: (tokens: string) => void;
}>;

/** The default of a server without settings, which the slider shows if no budget is selected. */
const serverDefault = { name: 'default', tokens: '50000' };
const maxBudget = 10_000_000;

/** A budget as a number, and a logarithmic slider for it. It takes effect once the slider is released. */
export function BudgetField({
  label,
  value,
  otherwise = serverDefault,
  onChange,
}: BudgetFieldProps) {
  const [draft, setDraft] = useDraft(value);
  const tokens = Number(draft === '' ? otherwise.tokens : draft);
  const apply = () => {
    if (draft !== value) onChange(draft);
  };
  return (
    <fieldset className="budget">
      <legend>{label}</legend>
      <input
        type="range"
        aria-label={`${label}, logarithmic`}
        aria-valuetext={draft === '' ? otherwise.name : `${draft} tokens`}
        min={0}
        max={scaleSteps}
        value={stepOf(tokens)}
        onChange={({ target }) => setDraft(String(tokensAt(Number(target.value))))}
        onPointerUp={apply}
        onKeyUp={apply}
        onBlur={apply}
      />
      <input
        type="number"
        aria-label={`${label} in tokens`}
        min={1}
        max={maxBudget}
        placeholder={otherwise.name}
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
        onBlur={apply}
        onKeyDown={({ key }) => {
          if (key === 'Enter') apply();
        }}
      />
    </fieldset>
  );
}
