import { appError } from '#server/http/app-error.ts'

const idleLimitMs = 30_000
/** A slower sender only holds a connection. */
const window = { milliseconds: 60_000, bytes: 60_000 }

/** Cuts a sender that stops or drips with `request.timeout`; the sender may resume. */
export async function* guarded(
  chunks: AsyncIterable<Uint8Array>,
  limits = { idle: idleLimitMs, window },
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
