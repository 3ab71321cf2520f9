import { type DynamicModule, Module } from '@nestjs/common';

import {
  AUDIT_LOG,
  CONFLICT_LOG,
  FAILURE_LOG,
  type FailureLog,
  VIEW_TALLY_EVENTS,
  type ViewTallyEvents,
  type CommandProcessorOptions,
  DATABASE,
  DEFAULT_SETTINGS,
  EVENT_STORE,
  ExportSignatures,
  FINGERPRINT_KEY,
  JOB_DATABASE,
  MAY_SUMMARIZE,
  PROJECTION_LAG,
  ROOT_KEY_HASH,
  type Settings,
  RUN_OPTIONS,
  SESSION_KEY,
  STREAM_OPTIONS,
  type RunOptions,
  WRITER_OPTIONS,
  defaultSettings,
} from '#application';
import { ContextReader } from '#read-models';

import { Metrics } from './metrics.js';
import { type Runtime } from './runtime.js';

/** Binds the ports of the application to the adapters of the runtime. */
@Module({})
export class PlatformModule {
  static forRuntime(runtime: Runtime): DynamicModule {
    const bound = [
      { provide: EVENT_STORE, useValue: runtime.store },
      { provide: DATABASE, useValue: runtime.db },
      { provide: JOB_DATABASE, useValue: runtime.jobDb },
      { provide: ContextReader, useValue: runtime.reader },
      { provide: FINGERPRINT_KEY, useValue: runtime.fingerprintKey },
      { provide: SESSION_KEY, useValue: runtime.sessionKey },
      { provide: ExportSignatures, useValue: runtime.exportSignatures },
      { provide: AUDIT_LOG, useValue: runtime.audit },
      { provide: CONFLICT_LOG, useValue: runtime.conflict },
      { provide: FAILURE_LOG, useValue: failureLog(runtime) },
      { provide: ROOT_KEY_HASH, useValue: runtime.rootKey.hash },
      { provide: PROJECTION_LAG, useValue: () => runtime.projector.lag() },
      { provide: DEFAULT_SETTINGS, useValue: settingsOf(runtime) },
      { provide: MAY_SUMMARIZE, useValue: maySummarize(runtime) },
      { provide: VIEW_TALLY_EVENTS, useValue: summaryEvents(runtime) },
      { provide: WRITER_OPTIONS, useValue: writerOptions(runtime) },
      { provide: RUN_OPTIONS, useValue: runOptions(runtime) },
      { provide: STREAM_OPTIONS, useValue: streamOptions(runtime) },
      { provide: Metrics, useValue: runtime.metrics },
    ];
    return {
      module: PlatformModule,
      global: true,
      providers: bound,
      exports: bound.map(({ provide }) => provide),
    };
  }
}

function settingsOf({ config: { views } }: Runtime): Settings {
  return {
    ...defaultSettings,
    viewMaxTokens: views.maxTokens,
    viewTokenizer: views.tokenizer,
    viewWholeOutputs: views.wholeOutputs,
  };
}

function runOptions({ config }: Runtime): RunOptions {
  return { leaseMs: config.runLeaseMs, hiddenInputMs: config.runHiddenInputMs };
}

function streamOptions({ config, metrics }: Runtime) {
  return {
    maxOfKey: config.streamsPerKey,
    counted: (open: number) => metrics.openStreams.set(open),
  };
}

/** Separate projectors have their own configuration, so assume that they may summarize. */
function maySummarize({ config: { summarizer, projector } }: Runtime): boolean {
  return summarizer !== undefined || projector === 'external';
}

function failureLog({ log }: Runtime): FailureLog {
  return (error, what) => log.warn({ err: error }, what);
}

function summaryEvents({ log }: Runtime): ViewTallyEvents {
  return {
    failed: (error) =>
      log.warn({ err: error }, 'stored view tallies are unavailable: they are recomputed'),
  };
}

function writerOptions({ config, metrics }: Runtime): CommandProcessorOptions {
  return {
    appendTimeoutMs: config.appendTimeoutMs,
    now: () => Date.now(),
    events: {
      appended: ({ events }) => {
        metrics.appendRounds.inc();
        metrics.appendedEvents.inc(events);
      },
      raced: () => metrics.racedRounds.inc(),
    },
  };
}
