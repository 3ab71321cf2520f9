import { type Decider, type DomainError } from '#event-sourcing';

type ErrorClass = new (...args: never[]) => DomainError;

/** `given(past).when(command).then(events)` for any decider; `record` makes a past event from a new one. */
export function specify<State, Command, NewEvent, PastEvent>(
  decider: Decider<State, Command, NewEvent, PastEvent>,
  record: (event: NewEvent, version: number) => PastEvent,
) {
  return {
    given: (...past: readonly NewEvent[]) => ({
      when: (command: Command) => {
        const decide = () => decider.decide(command, fold(past));
        return {
          then: (...events: readonly unknown[]) => expect(decide()).toEqual(events),
          thenNothing: () => expect(decide()).toEqual([]),
          thenRefused: (error: ErrorClass, details: object = {}) => {
            expect(decide).toThrow(error);
            expect(refusal(decide)).toMatchObject(details);
          },
        };
      },
    }),
  };

  function fold(past: readonly NewEvent[]): State {
    return past.reduce(
      (state, event, index) => decider.evolve(state, record(event, index + 1)),
      decider.initialState(),
    );
  }
}

function refusal(decide: () => unknown): unknown {
  try {
    decide();
  } catch (error) {
    return error;
  }
  throw new Error('the command was not refused');
}
