/** A pure decision model: `evolve` folds past events into a state, and `decide` returns new events for a command. */
export type Decider<State, Command, NewEvent, PastEvent = NewEvent> = Readonly<{
  initialState: () => State;
  evolve: (state: State, event: PastEvent) => State;
  /** Returns an empty array if the command has been executed already, so that a retry is safe. */
  decide: (command: Command, state: State) => readonly NewEvent[];
}>;
