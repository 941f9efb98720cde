// A spatial index of the units: a grid of cells in two flat arrays, fast with 200,000 seats.
import { around, boxOfPlaces, type Box } from "./box";

const CELL_SEATS = 4;
const CELLS_A_UNIT_MAX = 4;

export class Grid {
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  readonly #cell: number;
  readonly #columns: number;
  readonly #rows: number;
  readonly #left: number;
  readonly #top: number;
  readonly #starts: Int32Array;
  readonly #members: Int32Array;

  constructor(x: Float64Array, y: Float64Array) {
    this.#x = x;
    this.#y = y;
    const { left, top, right, bottom } = boxOfPlaces(x, y);
    const isEmpty = left > right;
    const [width, height] = isEmpty ? [0, 0] : [right - left, bottom - top];
    // Limits the number of cells when seats are very far apart.
    const area = Math.max(1, (width * height) / Math.max(1, x.length * CELLS_A_UNIT_MAX));
    const side = Math.max(width, height) / Math.max(16, x.length);
    this.#cell = Math.max(CELL_SEATS, Math.sqrt(area), side);
    this.#left = isEmpty ? 0 : left;
    this.#top = isEmpty ? 0 : top;
    this.#columns = Math.floor(width / this.#cell) + 1;
    this.#rows = Math.floor(height / this.#cell) + 1;
    this.#starts = new Int32Array(this.#columns * this.#rows + 1);
    this.#members = new Int32Array(x.length);
    this.#fill();
  }

  #fill(): void {
    const cells = new Int32Array(this.#x.length);
    for (let unit = 0; unit < cells.length; unit += 1) {
      const column = Math.floor(((this.#x[unit] ?? 0) - this.#left) / this.#cell);
      const row = Math.floor(((this.#y[unit] ?? 0) - this.#top) / this.#cell);
      const cell = row * this.#columns + column;
      cells[unit] = cell;
      this.#starts[cell + 1] = (this.#starts[cell + 1] ?? 0) + 1;
    }
    for (let cell = 1; cell < this.#starts.length; cell += 1) {
      this.#starts[cell] = (this.#starts[cell] ?? 0) + (this.#starts[cell - 1] ?? 0);
    }
    const next = this.#starts.slice();
    for (let unit = 0; unit < cells.length; unit += 1) {
      const cell = cells[unit] ?? 0;
      const place = next[cell] ?? 0;
      this.#members[place] = unit;
      next[cell] = place + 1;
    }
  }

  /** Calls `visit` with every unit in the box. */
  within(box: Box, visit: (unit: number) => void): void {
    const fromColumn = Math.max(0, Math.floor((box.left - this.#left) / this.#cell));
    const toColumn = Math.min(this.#columns - 1, Math.floor((box.right - this.#left) / this.#cell));
    const fromRow = Math.max(0, Math.floor((box.top - this.#top) / this.#cell));
    const toRow = Math.min(this.#rows - 1, Math.floor((box.bottom - this.#top) / this.#cell));
    for (let row = fromRow; row <= toRow; row += 1) {
      const start = this.#starts[row * this.#columns + fromColumn] ?? 0;
      const stop = this.#starts[row * this.#columns + toColumn + 1] ?? 0;
      if (fromColumn > toColumn) continue;
      for (let place = start; place < stop; place += 1) {
        const unit = this.#members[place] ?? 0;
        const x = this.#x[unit] ?? 0;
        const y = this.#y[unit] ?? 0;
        if (x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) visit(unit);
      }
    }
  }

  /** The nearest unit within reach, the first of equally near ones; -1 if there is none. */
  nearest(
    x: number,
    y: number,
    reach: number,
    allows: (unit: number) => boolean = () => true,
  ): number {
    let found = -1;
    let least = reach * reach;
    this.within(around(x, y, reach), (unit) => {
      const far = ((this.#x[unit] ?? 0) - x) ** 2 + ((this.#y[unit] ?? 0) - y) ** 2;
      if (far < least || (far === least && (found < 0 || unit < found))) {
        if (!allows(unit)) return;
        least = far;
        found = unit;
      }
    });
    return found;
  }
}
