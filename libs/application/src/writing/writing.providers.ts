import { CarriedHandovers } from './carried-handovers.js';
import { ConflictPauses } from './conflict-pauses.js';
import { ContextDirectory } from './context-directory.js';
import { contextWriter } from './context-writer.providers.js';
import { CreationReferences } from './creation-references.js';
import { DocumentChanges } from './document-changes.js';
import { MissedEvents } from './missed-events.js';
import { NamedParent } from './named-parent.js';
import { ReplaceDocumentHandler } from './replace-document.handler.js';
import { WriteContextHandler } from './write-context.handler.js';
import { WriteCheck } from './write-check.js';
import { WriteOutcomes } from './write-outcomes.js';
import { WritePreparation } from './write-preparation.js';
import { WriteReferences } from './write-references.js';
import { WriteService } from './write.service.js';

/** Whatever writes to contexts. */
export const writing = [
  ...contextWriter,
  CarriedHandovers,
  CreationReferences,
  NamedParent,
  ContextDirectory,
  MissedEvents,
  ConflictPauses,
  WriteOutcomes,
  WriteReferences,
  WritePreparation,
  WriteCheck,
  WriteService,
  WriteContextHandler,
  DocumentChanges,
  ReplaceDocumentHandler,
];
