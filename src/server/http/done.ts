import type { Context } from 'hono'

export async function done(c: Context, work: Promise<unknown>) {
  await work
  return c.body(null, 204)
}
