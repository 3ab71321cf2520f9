import { type ValueLine } from './value-lines.js';

const fence = /^(?:```|~~~)/;
const hunk = /^@@ -\d/;
const patchStart = /^(?:diff --git |--- \S|\+\+\+ \S|index [0-9a-f]{7})/;

/** Whether consecutive lines are in a block of code or in a patch, in which no line is a heading or an item. */
export class CodeLines {
  private isFenced = false;
  private isPatch = false;

  next({ key, text }: ValueLine): boolean {
    // Another member begins here.
    if (key !== '') [this.isFenced, this.isPatch] = [false, false];
    if (fence.test(text)) {
      this.isFenced = !this.isFenced;
      this.isPatch = false;
      return true;
    }
    this.isPatch ||= hunk.test(text);
    return this.isFenced || this.isPatch || patchStart.test(text);
  }
}
