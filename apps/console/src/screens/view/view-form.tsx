import { type FormEvent } from 'react';

import { useApi } from '../../api/use-api.js';
import { setParameters } from '../../navigation/location.js';
import { DraftField } from '../../ui/draft-field.js';
import { SelectField } from '../../ui/select-field.js';
import { useMe } from '../../session/me.js';
import { AudienceField } from './audience-field.js';
import { audiencesOf } from './audiences.js';
import { BudgetField } from './budget-field.js';
import { type Comparison, type ViewQuestion, firstComparison } from './view-question.js';

type ViewFormProps = Readonly<{
  question: ViewQuestion;
  comparison: Comparison | undefined;
}>;

const focuses = ['handover', 'rework', 'retrospective'];
const tokenizers = ['o200k_base', 'cl100k_base', 'chars4'];

/** Returns a callback that writes one parameter to the address. */
const change = (name: string) => (value: string) => setParameters({ [name]: value });

/** The parameters of the view. Each takes effect when it changes, and is in the address. */
export function ViewForm({ question, comparison }: ViewFormProps) {
  const stay = (event: FormEvent) => event.preventDefault();
  return (
    <form className="filters view-form" onSubmit={stay} aria-label="View">
      <AudienceField label="Audience" value={question.audience} onChange={change('audience')} />
      <BudgetField label="Budget" value={question.maxTokens} onChange={change('maxTokens')} />
      <FocusFields question={question} />
      <AgentField agent={question.agent} />
      <SelectField
        label="Tokenizer"
        value={question.tokenizer}
        onChange={change('tokenizer')}
        options={tokenizers}
        none="default"
      />
      <label>
        <input
          type="checkbox"
          checked={question.overflow === 'minimum'}
          onChange={({ target }) => change('overflow')(target.checked ? 'minimum' : '')}
        />{' '}
        Cut the smallest view if it exceeds the budget
      </label>
      <ComparisonFields question={question} comparison={comparison} />
    </form>
  );
}

function FocusFields({ question: { focus, subject } }: Pick<ViewFormProps, 'question'>) {
  return (
    <>
      <SelectField
        label="Focus"
        value={focus}
        onChange={change('focus')}
        options={focuses}
        none="none"
      />
      {focus === 'rework' && (
        <DraftField
          label="Subject"
          value={subject}
          onChange={change('subject')}
          placeholder="artifact, step or task"
        />
      )}
    </>
  );
}

/** Agents that the list has; others can be in the address. */
const maxAgents = 500;

function AgentField({ agent }: Readonly<{ agent: string }>) {
  const agents = useApi<Readonly<{ items: readonly Readonly<{ agentId: string }>[] }>>(
    '/v1/agents',
    { limit: maxAgents },
  );
  return (
    <SelectField
      label="Read as agent"
      value={agent}
      onChange={change('agent')}
      options={(agents.data?.body.items ?? []).map(({ agentId }) => agentId)}
      none="none"
    />
  );
}

/** The second view: another audience, another budget, or both. */
function ComparisonFields({ question, comparison }: ViewFormProps) {
  const me = useMe();
  const compare = () => {
    const { audience, maxTokens } = firstComparison(question, audiencesOf(me));
    setParameters({ compare: audience, compareTokens: maxTokens });
  };
  if (!comparison)
    return (
      <button type="button" onClick={compare}>
        Compare with a second view
      </button>
    );
  return (
    <fieldset className="comparison">
      <legend>Second view</legend>
      <AudienceField
        label="Second audience"
        value={comparison.audience}
        onChange={change('compare')}
      />
      <BudgetField
        label="Second budget"
        value={comparison.maxTokens}
        {...(question.maxTokens !== '' && {
          otherwise: { name: 'as above', tokens: question.maxTokens },
        })}
        onChange={change('compareTokens')}
      />
      <button
        type="button"
        onClick={() => setParameters({ compare: undefined, compareTokens: undefined })}
      >
        Show one view
      </button>
    </fieldset>
  );
}
