/**
 * Memory for what a computation needs only while it runs (regions, Hanson 1990): V8 collects all garbage of a thread again and again while
 * new arrays come together, and the planes of a single picture are tens of megabytes. One arena a thread.
 */

/** Bytes that are asked of V8 at once; larger arrays are not lent, and blocks beyond the kept ones go with the computation that needed them. */
const blockBytes = 8 << 20
const keptBlocks = 2
const blocks: ArrayBuffer[] = []

/** The first byte that is not lent: in which block, and where in it. */
interface Mark {
  block: number
  offset: number
}

/** Nothing is lent outside of every computation. */
let next: Mark | undefined

/**
 * Runs a computation whose arrays, as far as {@link floats} and its like make them, are lent: they go back when it ends, so its result must
 * lie in other memory. Computations may contain others. None may wait, for then arrays would go back that are still in use.
 */
export function inArena<Result>(compute: () => Result extends PromiseLike<unknown> ? never : Result): Result {
  const before = next
  next = before ? { ...before } : { block: 0, offset: 0 }
  try {
    return compute()
  } finally {
    next = before
    if (!before) blocks.length = Math.min(blocks.length, keptBlocks)
  }
}

/** Zeros, lent where a computation runs in the arena, else in memory of their own; so are those of the others. */
export function floats(length: number): Float32Array {
  const place = lend(4 * length)
  if (!place) return new Float32Array(length)
  const array = new Float32Array(place.buffer, place.offset, length)
  array.fill(0)
  return array
}

export function doubles(length: number): Float64Array {
  const place = lend(8 * length)
  if (!place) return new Float64Array(length)
  const array = new Float64Array(place.buffer, place.offset, length)
  array.fill(0)
  return array
}

export function ints(length: number): Int32Array {
  const place = lend(4 * length)
  if (!place) return new Int32Array(length)
  const array = new Int32Array(place.buffer, place.offset, length)
  array.fill(0)
  return array
}

export function bytes(length: number): Uint8Array {
  const place = lend(length)
  if (!place) return new Uint8Array(length)
  const array = new Uint8Array(place.buffer, place.offset, length)
  array.fill(0)
  return array
}

/** Memory on a multiple of eight bytes; undefined where none is lent. */
function lend(size: number): { buffer: ArrayBuffer; offset: number } | undefined {
  if (!next || size > blockBytes) return undefined
  for (;;) {
    const buffer = blocks[next.block] ?? new ArrayBuffer(blockBytes)
    blocks[next.block] = buffer
    const { offset } = next
    if (offset + size <= blockBytes) {
      next.offset = offset + ((size + 7) & ~7)
      return { buffer, offset }
    }
    next.block++
    next.offset = 0
  }
}
