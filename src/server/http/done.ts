import type { Context } from 'hono'

/** Waits for what a request asked to be done, and answers with nothing. */
export async function done(c: Context, work: Promise<unknown>) {
  await work
  return c.body(null, 204)
}
