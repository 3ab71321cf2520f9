/** Numbers, of which always the lowest is taken: a binary heap. */
export class Lowest {
  private readonly heap: number[] = [];

  add(value: number): void {
    let at = this.heap.length;
    this.heap.push(value);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.at(parent) <= value) break;
      this.heap[at] = this.at(parent);
      at = parent;
    }
    this.heap[at] = value;
  }

  take(): number | undefined {
    const lowest = this.heap[0];
    const last = this.heap.pop();
    if (last !== undefined && this.heap.length > 0) this.sink(last);
    return lowest;
  }

  private sink(value: number): void {
    let at = 0;
    for (let child = 1; child < this.heap.length; child = 2 * at + 1) {
      if (this.at(child + 1) < this.at(child)) child += 1;
      if (this.at(child) >= value) break;
      this.heap[at] = this.at(child);
      at = child;
    }
    this.heap[at] = value;
  }

  private at(place: number): number {
    return this.heap[place] ?? Infinity;
  }
}
