/** A pure decision model: fold the past, then answer a command with new events. */
export type Decider<State, Command, NewEvent, PastEvent = NewEvent> = Readonly<{
  initialState: () => State;
  evolve: (state: State, event: PastEvent) => State;
  /** An empty array means "already done": retrying a command must be safe. */
  decide: (command: Command, state: State) => readonly NewEvent[];
}>;
