/** The smallest module with a vector instruction, after GoogleChromeLabs' wasm-feature-detect. */
const vectors = [
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
]

/**
 * Whether this browser can run the engine in a worker: WebAssembly with vector instructions (SIMD),
 * and pictures in workers.
 */
export function canRunEngine(): boolean {
  try {
    return (
      typeof Worker === 'function' &&
      typeof OffscreenCanvas === 'function' &&
      typeof createImageBitmap === 'function' &&
      WebAssembly.validate(new Uint8Array(vectors))
    )
  } catch {
    return false
  }
}
