import { useDraft } from '../../ui/use-draft.js';
import { scaleSteps, stepOf, tokensAt } from './budget-scale.js';

type BudgetFieldProps = Readonly<{
  label: string;
  /** The tokens, or empty for the default. */
  value: string;
  onChange: (tokens: string) => void;
}>;

/** The budget of the slider if none is selected; the default of a server without settings. */
const usualBudget = 50_000;
const maxBudget = 10_000_000;

/** A budget as a number, and a logarithmic slider for it. It takes effect once the slider is released. */
export function BudgetField({ label, value, onChange }: BudgetFieldProps) {
  const [draft, setDraft] = useDraft(value);
  const tokens = Number(draft) > 0 ? Number(draft) : usualBudget;
  const apply = () => {
    if (draft !== value) onChange(draft);
  };
  return (
    <fieldset className="budget">
      <legend>{label}</legend>
      <input
        type="range"
        aria-label={`${label}, logarithmic`}
        aria-valuetext={draft === '' ? 'default' : `${draft} tokens`}
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
        placeholder="default"
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
