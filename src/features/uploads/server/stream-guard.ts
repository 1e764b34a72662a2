import { appError } from '#server/http/app-error.ts'

/** Milliseconds without a byte after which a sender counts as dead. */
const idleLimit = 30_000
/** A sender of less than this in each window only holds a connection. */
const window = { milliseconds: 60_000, bytes: 60_000 }

/**
 * Passes the chunks on and requires that they keep coming: a sender that stops or drips is cut with
 * `request.timeout`, and may resume.
 */
export async function* guarded(
  chunks: AsyncIterable<Uint8Array>,
  limits = { idle: idleLimit, window },
): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]()
  let [begun, bytes] = [performance.now(), 0]
  try {
    for (;;) {
      const { done, value } = await withinTime(source.next(), limits.idle)
      if (done) return
      yield value
      bytes += value.length
      if (performance.now() - begun < limits.window.milliseconds) continue
      if (bytes < limits.window.bytes) throw appError('request.timeout')
      begun = performance.now()
      bytes = 0
    }
  } finally {
    // Not awaited: a stalled source never ends its pending read.
    source.return?.()?.catch(() => {})
  }
}

async function withinTime<Result>(promise: Promise<Result>, milliseconds: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(appError('request.timeout')), milliseconds)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
