/**
 * Memory for what a computation needs only while it runs (regions, Hanson 1990): V8 collects all
 * garbage of a thread again and again while new arrays come together, and the planes of a single
 * picture are tens of megabytes. One arena a thread.
 */

/**
 * Bytes that are asked of V8 at once; larger arrays are not lent, and blocks beyond the kept ones
 * go with the computation that needed them.
 */
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
 * Runs a computation whose arrays, as far as {@link floats} and its like make them, are lent: they
 * go back when it ends, so its result must lie in other memory. Computations may contain others.
 * None may wait, for then arrays would go back that are still in use.
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

/**
 * Zeros, lent where a computation runs in the arena, else in memory of their own; so are those of
 * the others.
 */
export const floats = (length: number) => zeros(Float32Array, length)
export const doubles = (length: number) => zeros(Float64Array, length)
export const ints = (length: number) => zeros(Int32Array, length)
export const bytes = (length: number) => zeros(Uint8Array, length)

/** As above, but holding anything: for arrays that are written as a whole before they are read. */
export const unclearedFloats = (length: number) => lent(Float32Array, length)
export const unclearedInts = (length: number) => lent(Int32Array, length)

interface Kind<Values> {
  readonly BYTES_PER_ELEMENT: number
  new (length: number): Values
  new (buffer: ArrayBuffer, offset: number, length: number): Values
}

function zeros<Values extends { fill(value: number): Values }>(kind: Kind<Values>, length: number): Values {
  const place = lend(kind.BYTES_PER_ELEMENT * length)
  return place ? new kind(place.buffer, place.offset, length).fill(0) : new kind(length)
}

function lent<Values>(kind: Kind<Values>, length: number): Values {
  const place = lend(kind.BYTES_PER_ELEMENT * length)
  return place ? new kind(place.buffer, place.offset, length) : new kind(length)
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
