import { type ListedPolicy } from '../../api/policy.js';
import { wordsOfPolicy } from './policy-words.js';

const policy = (rules: Partial<ListedPolicy>): ListedPolicy => ({
  audience: 'medics',
  version: 1,
  builtIn: false,
  show: [{ types: ['*'] }],
  events: [],
  ...rules,
});

const shown = (...show: ListedPolicy['show']) => wordsOfPolicy(policy({ show })).shows;

describe('a policy in words', () => {
  it('lists the types of events of a rule', () => {
    expect(shown({ types: ['*'] })).toEqual(['All events.']);
    expect(shown({ types: ['RiskRaised', 'TaskPlanned'] })).toEqual([
      'Events: risk raised, task planned.',
    ]);
  });

  it('states the conditions of a rule', () => {
    expect(
      shown({ types: ['RecordAppended'], kinds: ['dev'], authors: ['ada', '$self'], steps: ['s'] }),
    ).toEqual([
      'Events: record appended; by “ada” or the agent of the reader; of the step “s”; of the kind “dev”.',
    ]);
    expect(shown({ types: ['HandoverNoted'], to: ['$reader'] })).toEqual([
      'Events: handover noted; addressed to the agent of the reader, or an agent with the name of the audience.',
    ]);
    expect(shown({ types: ['StepStarted'], failedSteps: true })).toEqual([
      'Events: step started; of steps that have failed.',
    ]);
  });

  it('states which working notes are visible', () => {
    expect(shown({ types: ['*'], visibility: ['record', 'working'] })).toEqual([
      'All events, also working notes.',
    ]);
    expect(shown({ types: ['*'], visibility: ['working'] })).toEqual([
      'All events, only working notes.',
    ]);
  });

  it('states the withheld members, the hidden events and superseded decisions', () => {
    const words = wordsOfPolicy(
      policy({
        show: [{ types: ['DecisionRecorded'], without: ['alternativesConsidered'] }],
        hide: [{ types: ['*'], authors: ['scratchpad'] }],
        decisions: 'live',
      }),
    );
    expect(words).toEqual({
      shows: ['Events: decision recorded; without alternatives considered.'],
      hides: ['All events; by “scratchpad”.'],
      decisions: 'Decisions are visible only while they are in force.',
    });
  });
});
