import { apiPath } from '../../api/client.js';
import { useApi } from '../../api/use-api.js';
import { useLocation } from '../../navigation/location.js';
import { type ShownContext } from '../context/shown-context.js';
import { PromptPanel } from './prompt-panel.js';
import { ViewForm } from './view-form.js';
import { type View, mostTokens } from './view-item.js';
import { ViewPanel } from './view-panel.js';
import {
  type ViewQuestion,
  comparedQuestion,
  comparisonIn,
  questionIn,
  viewQuery,
} from './view-question.js';

/** What an agent reads of a context: views by audience and budget, and the prompt of an agent. */
export function ViewTab({ contextId, version, newest }: ShownContext) {
  const { parameters } = useLocation();
  const asOf = version === newest ? undefined : version;
  const question = questionIn(parameters);
  const comparison = comparisonIn(parameters);
  return (
    <section className="view-explorer" aria-label="View explorer">
      <ViewForm key={contextId} question={question} comparison={comparison} />
      {comparison ? (
        <TwoViews
          {...{ contextId, asOf, question, other: comparedQuestion(question, comparison) }}
        />
      ) : (
        <OneView {...{ contextId, asOf, question }} />
      )}
      {question.agent !== '' && <PromptPanel {...{ contextId, asOf, question }} />}
    </section>
  );
}

type ViewProps = Readonly<{
  contextId: string;
  asOf: number | undefined;
  question: ViewQuestion;
}>;

function OneView(props: ViewProps) {
  const view = useView(props);
  return <ViewPanel {...props} answer={view} heading="View" most={mostOf(view.data?.body)} />;
}

/** Two views side by side, with bars of the same scale. */
function TwoViews({ other, ...props }: ViewProps & Readonly<{ other: ViewQuestion }>) {
  const first = useView(props);
  const second = useView({ ...props, question: other });
  const [one, two] = [first.data?.body, second.data?.body];
  const most = Math.max(mostOf(one), mostOf(two));
  return (
    <div className="side-by-side">
      <ViewPanel {...props} answer={first} heading="First view" {...{ most, others: two?.items }} />
      <ViewPanel
        {...props}
        question={other}
        answer={second}
        heading="Second view"
        {...{ most, others: one?.items }}
      />
    </div>
  );
}

function useView({ contextId, asOf, question }: ViewProps) {
  return useApi<View>(apiPath('contexts', contextId, 'view'), viewQuery(question, asOf));
}

function mostOf(view: View | undefined): number {
  return mostTokens(view?.items ?? []);
}
