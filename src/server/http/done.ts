import type { Context } from 'hono'

/** Awaits the work and responds without content. */
export async function done(c: Context, work: Promise<unknown>) {
  await work
  return c.body(null, 204)
}
