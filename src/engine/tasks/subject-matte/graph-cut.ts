const deltas = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
  [1, 1],
  [-1, -1],
  [-1, 1],
  [1, -1],
] as const
const terminal = 8
const orphan = 9
const none = 10

/**
 * Minimum cut of an 8-connected grid (Boykov and Kolmogorov 2004); returns a label 0 or 1 a pixel.
 * `preference[i]`, overwritten, prefers 1 if > 0; its size is the cost of the other label.
 * `links[d]` is the cost of separating i from its neighbour (0 right, 1 down, 2 down-right, 3
 * down-left).
 */
export function minimumCut(
  width: number,
  height: number,
  preference: Float32Array,
  links: readonly [Float32Array, Float32Array, Float32Array, Float32Array],
): Uint8Array {
  return new Cut(width, height, preference, links).solve()
}

/**
 * `d ^ 1` reverses direction `d`. Links out of a row have capacity 0. Indices stay in the grid: V8
 * allocates for each read that may yield undefined, half a million a picture.
 */
class Cut {
  private readonly rest: Float32Array
  private readonly capacity: Float32Array[] = []
  private readonly step: Int32Array
  private readonly tree: Uint8Array
  private readonly parent: Uint8Array
  private readonly stamp: Int32Array
  private readonly depth: Int32Array
  private readonly queue: Int32Array
  private readonly queued: Uint8Array
  private head = 0
  private waiting = 0
  private orphans: number[] = []
  private time = 0

  constructor(
    width: number,
    height: number,
    preference: Float32Array,
    links: readonly [Float32Array, Float32Array, Float32Array, Float32Array],
  ) {
    const count = width * height
    this.rest = preference
    this.step = Int32Array.from(deltas, ([x, y]) => y * width + x)
    this.tree = new Uint8Array(count)
    this.parent = new Uint8Array(count).fill(none)
    this.stamp = new Int32Array(count)
    this.depth = new Int32Array(count)
    this.queue = new Int32Array(count + 1)
    this.queued = new Uint8Array(count)
    for (let d = 0; d < 8; d++) {
      const [dx, dy] = deltas[d] as readonly [number, number]
      const link = links[d >> 1] as Float32Array
      const capacity = new Float32Array(count)
      // The reverse capacity is the link stored at the neighbour, which precedes this pixel.
      const behind = d & 1 ? -(this.step[d] as number) : 0
      capacity.set(link.subarray(0, count - behind), behind)
      if (dy !== 0) capacity.fill(0, dy > 0 ? count - width : 0, dy > 0 ? count : width)
      if (dx !== 0) for (let i = dx > 0 ? width - 1 : 0; i < count; i += width) capacity[i] = 0
      this.capacity.push(capacity)
    }
  }

  solve(): Uint8Array {
    const { rest, tree, parent, depth } = this
    for (let i = 0; i < rest.length; i++) {
      if (rest[i] === 0) continue
      tree[i] = (rest[i] as number) > 0 ? 1 : 2
      parent[i] = terminal
      depth[i] = 1
      this.activate(i)
    }
    let current = -1
    while (true) {
      if (current < 0 || tree[current] === 0) {
        current = this.nextActive()
        if (current < 0) break
      }
      const way = this.grow(current)
      this.time++
      if (way < 0) {
        current = -1
        continue
      }
      this.augment(current, way)
      while (this.orphans.length > 0) this.adopt(this.orphans.pop() as number)
    }
    for (let i = 0; i < tree.length; i++) if (tree[i] !== 1) tree[i] = 0
    return tree
  }

  private activate(i: number): void {
    if (this.queued[i] === 1) return
    this.queued[i] = 1
    this.queue[(this.head + this.waiting) % this.queue.length] = i
    this.waiting++
  }

  private nextActive(): number {
    while (this.waiting > 0) {
      const i = this.queue[this.head] as number
      this.head = (this.head + 1) % this.queue.length
      this.waiting--
      this.queued[i] = 0
      if (this.tree[i] !== 0) return i
    }
    return -1
  }

  /** Grows a node's tree; returns the direction in which it met the other tree, or −1. */
  private grow(i: number): number {
    const { tree, parent, stamp, depth } = this
    const own = tree[i] as number
    for (let d = 0; d < 8; d++) {
      const j = i + (this.step[d] as number)
      if (j < 0 || j >= tree.length) continue
      const open = own === 1 ? this.flow(d, i) : this.flow(d ^ 1, j)
      if (open <= 0) continue
      if (tree[j] === 0) {
        tree[j] = own
        parent[j] = d ^ 1
        stamp[j] = stamp[i] as number
        depth[j] = (depth[i] as number) + 1
        this.activate(j)
      } else if (tree[j] !== own) {
        return d
      } else if ((stamp[j] as number) <= (stamp[i] as number) && (depth[j] as number) > (depth[i] as number)) {
        parent[j] = d ^ 1
        stamp[j] = stamp[i] as number
        depth[j] = (depth[i] as number) + 1
      }
    }
    return -1
  }

  private flow(direction: number, i: number): number {
    return (this.capacity[direction] as Float32Array)[i] as number
  }

  private push(direction: number, i: number, amount: number): number {
    const there = this.capacity[direction] as Float32Array
    const back = this.capacity[direction ^ 1] as Float32Array
    const j = i + (this.step[direction] as number)
    there[i] = (there[i] as number) - amount
    back[j] = (back[j] as number) + amount
    return there[i] as number
  }

  /** Pushes flow along the path that joins the trees between `i` and its neighbour at `way`. */
  private augment(i: number, way: number): void {
    const forward = this.tree[i] === 1
    const source = forward ? i : i + (this.step[way] as number)
    const sink = forward ? i + (this.step[way] as number) : i
    const link = forward ? way : way ^ 1
    let amount = this.flow(link, source)
    let node = source
    while (this.parent[node] !== terminal) {
      const up = this.parent[node] as number
      const above = node + (this.step[up] as number)
      amount = Math.min(amount, this.flow(up ^ 1, above))
      node = above
    }
    amount = Math.min(amount, this.rest[node] as number)
    node = sink
    while (this.parent[node] !== terminal) {
      const up = this.parent[node] as number
      amount = Math.min(amount, this.flow(up, node))
      node += this.step[up] as number
    }
    amount = Math.min(amount, -(this.rest[node] as number))

    this.push(link, source, amount)
    node = source
    while (this.parent[node] !== terminal) {
      const up = this.parent[node] as number
      const above = node + (this.step[up] as number)
      if (this.push(up ^ 1, above, amount) <= 0) this.abandon(node)
      node = above
    }
    this.rest[node] = (this.rest[node] as number) - amount
    if ((this.rest[node] as number) <= 0) this.abandon(node)
    node = sink
    while (this.parent[node] !== terminal) {
      const up = this.parent[node] as number
      const above = node + (this.step[up] as number)
      if (this.push(up, node, amount) <= 0) this.abandon(node)
      node = above
    }
    this.rest[node] = (this.rest[node] as number) + amount
    if ((this.rest[node] as number) >= 0) this.abandon(node)
    for (const lost of this.orphans) this.parent[lost] = orphan
  }

  /** Records an orphan. Its parent is cleared after the whole path was walked. */
  private abandon(i: number): void {
    this.orphans.push(i)
  }

  /** Steps to the terminal, or 0 if not connected. Caches the depths on the path. */
  private rootDepth(i: number): number {
    let steps = 0
    let node = i
    while (true) {
      if (this.stamp[node] === this.time) {
        steps += this.depth[node] as number
        break
      }
      const up = this.parent[node] as number
      steps++
      if (up === terminal) {
        this.stamp[node] = this.time
        this.depth[node] = 1
        break
      }
      if (up >= orphan) return 0
      node += this.step[up] as number
    }
    let left = steps
    for (let n = i; this.stamp[n] !== this.time; n += this.step[this.parent[n] as number] as number) {
      this.stamp[n] = this.time
      this.depth[n] = left--
    }
    return steps
  }

  private adopt(i: number): void {
    const own = this.tree[i] as number
    let best = none
    let least = 0x7fffffff
    for (let d = 0; d < 8; d++) {
      const j = i + (this.step[d] as number)
      if (j < 0 || j >= this.tree.length || this.tree[j] !== own) continue
      const open = own === 1 ? this.flow(d ^ 1, j) : this.flow(d, i)
      if (open <= 0 || (this.parent[j] as number) >= orphan) continue
      const steps = this.rootDepth(j)
      if (steps > 0 && steps < least) {
        least = steps
        best = d
      }
    }
    if (best !== none) {
      this.parent[i] = best
      this.stamp[i] = this.time
      this.depth[i] = least + 1
      return
    }
    for (let d = 0; d < 8; d++) {
      const j = i + (this.step[d] as number)
      if (j < 0 || j >= this.tree.length || this.tree[j] !== own) continue
      const open = own === 1 ? this.flow(d ^ 1, j) : this.flow(d, i)
      if (open > 0) this.activate(j)
      if (this.parent[j] === (d ^ 1)) {
        this.parent[j] = orphan
        this.orphans.push(j)
      }
    }
    this.tree[i] = 0
    this.parent[i] = none
  }
}
