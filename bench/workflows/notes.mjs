import { whole } from '../report-parts.mjs';

/** The meaning of each figure. */
export function notes({ peerFault, plan }) {
  const { rounds, sequentialSteps, crowd, crowdSteps, turns, windowSteps, recoveries } = plan;
  return [
    ...(peerFault
      ? [`- **DBOS and LangGraph could not be installed (${peerFault}) and were not measured.**`]
      : []),
    '- One embedded PostgreSQL server, a database for each contender and part, everything in one run. fsync, synchronous_commit and full_page_writes are on and checked before the run; track_commit_timestamp is on, for everybody. The benchmark, our projector and PostgreSQL share the same processors.',
    '- Every step is a function in this process that does nothing and returns 2 KB of JSON. Each contender stores that durably before the next step of the run begins.',
    `- (a): ${rounds === 1 ? 'one round' : `${rounds} rounds`} after a warm-up, beginning with another contender each time; each contender is opened for its turn and closed after it, so that no contender polls while another is measured. *One run*: ${sequentialSteps} steps; a step is measured from the begin of its function to that of the next one. Time for a step is the mean of a round, p50 and p99 are those of all rounds, ratios the median of the rounds' own ratios. *${crowd} runs*: started together, ${crowdSteps} steps each, from the first step of all to the last one. Processor time and bytes are those of the one run, start and end of the run included, for a step; ours until read models and search index are up to date. Bytes are those of all tables with their indexes, including dead rows of updates.`,
    `- Connections: 18 each for DBOS and LangGraph; ours has 10, and 8 for appends, and 4 for its projector. Ours carries out 8 attempts at once, as usual, and ${crowd} for ${crowd} runs; the others carry out as many as there are runs.`,
    '- *Throughline, a loop*: `WorkflowRunsService` and a function given to `SharedContextModule.forRoot`. One agent step whose route leads back to itself; it is given its own last result. For a step: StepScheduled, StepAttemptStarted, StepOutputAdded and StepRouted; StepAttemptStarted is stored before the function is called; a claim with a lease; the projector and the search index follow in the same process.',
    '- *Growing context*: a chain of different steps, each of which gets the results of all earlier steps; from 50,000 tokens on it gets a view of them, whose receipt is stored.',
    '- *DBOS*: a registered workflow that calls `DBOS.runStep` in a loop: a row of the result for each step. A step is given nothing that it is not passed.',
    '- *LangGraph*: a graph of one node that routes back to itself, `durability: "sync"`, PostgresSaver: the writes of a step and a checkpoint. *Constant*: the state is the last result. *Growing*: a list of all results, which its reducer extends, and which is stored whole with every checkpoint. The graph counts its steps outside of the state.',
    `- (b): from the commit of the event that schedules a step to the commit of the one that completes it (StepScheduled to StepRouted), as PostgreSQL has noted them. One loop, from ${whole(turns * windowSteps)} steps around each depth, in ${turns} turns of ${windowSteps} steps: the long runs wait within a step while it is not their turn, and the step that has waited is left out. Read models are up to date at the begin of each turn.`,
    '- (c): one parallel step of 100 branches, visited again and again by one run; 8 attempts at once. Each branch is measured from the append that schedules all of them, so that most of it is waiting for others. *For a step* is the time from that append to the completion of the last branch, divided by 100.',
    `- (d): ${recoveries === 1 ? 'one kill' : `${recoveries} kills`}. Two processes with the same function share a run; one of them is killed by SIGKILL within a step. The other has been up for longer than a lease, before which no process declares an attempt lost. From the commit of the event by which it takes the attempt over (StepAttemptTimedOut, which comes before the claim) to the commit of the output of the repeated step; and from the kill to that. A function's lease is 10 s, and leases are checked every second.`,
  ];
}
