import { apiPath } from '../../api/client.js';
import { useApiByPost } from '../../api/use-api.js';
import { AgentText } from '../../ui/agent-text.js';
import { Loading } from '../../ui/states.js';
import { type ViewQuestion } from './view-question.js';

/** The answer of `POST /v1/contexts/{id}/prompt`. */
type Prompt = Readonly<{
  text: string;
  tokens: number;
  tokenizer: string;
  version: number;
  audience: string;
  checklist: readonly Required[];
  missing: readonly string[];
}>;
type Required = Readonly<{ path: string; present: boolean; required: boolean }>;

type PromptPanelProps = Readonly<{
  contextId: string;
  asOf: number | undefined;
  question: ViewQuestion;
}>;

/** The prompt of a registered agent, also if required inputs are missing. */
export function PromptPanel({ contextId, asOf, question }: PromptPanelProps) {
  const { agent, audience, tokenizer } = question;
  const prompt = useApiByPost<Prompt>(apiPath('contexts', contextId, 'prompt'), {
    agent,
    strict: false,
    ...(audience !== '' && { audience }),
    ...(tokenizer !== '' && { tokenizer }),
    ...(asOf !== undefined && { asOf }),
  });
  return (
    <section aria-label="Prompt of the agent">
      <h2>
        Prompt of the agent <AgentText text={agent} />
      </h2>
      {prompt.data && !prompt.isError ? (
        <PromptText prompt={prompt.data.body} />
      ) : (
        <Loading of={prompt} />
      )}
    </section>
  );
}

function PromptText({ prompt }: Readonly<{ prompt: Prompt }>) {
  const { text, tokens, tokenizer, version, audience, checklist, missing } = prompt;
  const lacking = checklist.some(({ present, required }) => required && !present);
  return (
    <>
      <p>
        <strong>{tokens} tokens</strong>, counted by {tokenizer}, for the audience{' '}
        <AgentText text={audience} />, at version {version}
      </p>
      {lacking && (
        <p className="fault">
          A required input is missing. The agent gets no prompt until somebody adds it, unless it
          requests the prompt with <code>"strict": false</code>.
        </p>
      )}
      <Checklist checklist={checklist} />
      <Missing paths={missing} />
      <AgentText text={text} block />
    </>
  );
}

function Checklist({ checklist }: Pick<Prompt, 'checklist'>) {
  if (checklist.length === 0) return null;
  return (
    <>
      <h3>Inputs of the contract</h3>
      <ul>
        {checklist.map(({ path, present, required }) => (
          <li key={path}>
            <AgentText text={path} />: {present ? 'present' : 'missing'},{' '}
            {required ? 'required' : 'optional'}
          </li>
        ))}
      </ul>
    </>
  );
}

function Missing({ paths }: Readonly<{ paths: readonly string[] }>) {
  if (paths.length === 0) return null;
  return (
    <>
      <h3>Paths of the template without a value</h3>
      <ul>
        {paths.map((path) => (
          <li key={path}>
            <AgentText text={path} />
          </li>
        ))}
      </ul>
    </>
  );
}
