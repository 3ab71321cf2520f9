import { GetSettingsController } from './get-settings.controller.js';
import { PatchSettingsController } from './patch-settings.controller.js';

export const settingsControllers = [GetSettingsController, PatchSettingsController];
