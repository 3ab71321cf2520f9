import { GetViewController } from './get-view.controller.js';
import { GetViewItemController } from './get-view-item.controller.js';

export const viewControllers = [GetViewController, GetViewItemController];
