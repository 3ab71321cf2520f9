import { Inject } from '@nestjs/common';
import {
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryHandler,
} from '@nestjs/cqrs';

import { requireWholeWorkspace } from '../access/authorize.js';
import { AUDIT_LOG, type AuditLog } from '../tokens.js';
import { SettingsStore } from './settings-store.js';
import { ChangeSettingsCommand, FindSettingsQuery, type Settings } from './settings.messages.js';

@QueryHandler(FindSettingsQuery)
export class FindSettingsHandler implements IQueryHandler<FindSettingsQuery> {
  constructor(private readonly settings: SettingsStore) {}

  execute({ principal }: FindSettingsQuery): Promise<Settings> {
    return this.settings.find(principal.workspace);
  }
}

@CommandHandler(ChangeSettingsCommand)
export class ChangeSettingsHandler implements ICommandHandler<ChangeSettingsCommand> {
  constructor(
    private readonly settings: SettingsStore,
    @Inject(AUDIT_LOG) private readonly audit: AuditLog,
  ) {}

  async execute({ principal, patch }: ChangeSettingsCommand): Promise<Settings> {
    requireWholeWorkspace(principal);
    const { workspace, name } = principal;
    await this.settings.change(workspace, (overrides) => merge(overrides, patch), name);
    this.audit({ workspace, types: ['SettingsChanged'], principal: name });
    return this.settings.find(workspace);
  }
}

/** Applies a merge patch: `null` returns a setting to its default. */
function merge(
  overrides: Partial<Settings>,
  patch: ChangeSettingsCommand['patch'],
): Partial<Settings> {
  const merged = { ...overrides, ...patch };
  return Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== null && value !== undefined),
  );
}
