import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { eq, inArray, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { expect, vi } from 'vitest'
import { type GenerationStatus, openStatuses } from '#features/generations/rules.ts'
import type { GenerationCreated, GenerationView } from '#features/generations/schemas.ts'
import { resendJobs } from '#features/generations/server/execution/resend-jobs.ts'
import { cancelGeneration } from '#features/generations/server/history/own-generations.ts'
import { generations } from '#features/generations/server/table.ts'
import { pngOf } from './png.ts'
import type { TestApp, TestUser } from './test-app.ts'

export async function makePicture(background = '#c04020', width = 40, height = 30): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
  return new Uint8Array(bytes)
}

/** A million pixels; valid headers and checksums, but cannot be decoded. */
export function damagedPicture(data = Buffer.from('not deflated')): Uint8Array<ArrayBuffer> {
  return pngOf({ width: 1000, height: 1000, depth: 8, colour: 2 }, data)
}

/** Running jobs look like those of a dead process, which is otherwise noticed after ten seconds. */
export async function loseHeartbeats({ deps }: TestApp): Promise<void> {
  const lost = sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`
  await deps.db.execute(lost)
}

export interface Submission {
  key?: string | null
  tool?: string
  params?: unknown
  /** The file `image`, or several, or none. */
  image?: Uint8Array<ArrayBuffer> | Uint8Array<ArrayBuffer>[] | null
  name?: string
  files?: Record<string, Uint8Array<ArrayBuffer> | Uint8Array<ArrayBuffer>[]>
  fields?: Record<string, string>
  headers?: Record<string, string>
}

export async function formOf(given: Submission = {}): Promise<FormData> {
  const form = new FormData()
  form.set('tool', given.tool ?? 'background-removal')
  if (given.params !== undefined) {
    form.set('params', typeof given.params === 'string' ? given.params : JSON.stringify(given.params))
  }
  for (const [name, value] of Object.entries(given.fields ?? {})) form.set(name, value)
  const image = given.image === undefined ? await makePicture() : given.image
  for (const bytes of image === null ? [] : [image].flat()) {
    form.append('image', new Blob([bytes]), given.name ?? 'foto.png')
  }
  for (const [name, files] of Object.entries(given.files ?? {})) {
    for (const bytes of [files].flat()) form.append(name, new Blob([bytes]), `${name}.png`)
  }
  return form
}

/** As the app sends it. */
export async function submit(user: Pick<TestUser, 'request'>, given: Submission = {}): Promise<Response> {
  const key = given.key === undefined ? randomUUID() : given.key
  const headers = { ...(key !== null && { 'idempotency-key': key }), ...given.headers }
  return user.request('/api/generations', { method: 'POST', body: await formOf(given), headers })
}

export async function submitted(user: Pick<TestUser, 'request'>, given: Submission = {}): Promise<GenerationCreated> {
  const answer = await submit(user, given)
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
  return (await answer.json()) as GenerationCreated
}

export async function readGeneration(user: Pick<TestUser, 'request'>, id: string): Promise<GenerationView> {
  return (await (await user.request(`/api/generations/${id}`)).json()) as GenerationView
}

/** Milliseconds between looks without a notification. */
const lookEvery = { told: 250, untold: 20 }
const patienceMilliseconds = 300_000

/** A user of a test app, or any client; only the former receives notifications. */
type Watcher = Pick<TestUser, 'request'> & Partial<Pick<TestUser, 'subscribe'>>

/**
 * Repeats `look`, after each change of the generation, until it does not throw: polling a whole
 * route costs more than most tests.
 */
export async function afterChanges<Result>(user: Watcher, id: string, look: () => Promise<Result>): Promise<Result> {
  const began = Date.now()
  let changed = Promise.withResolvers<void>()
  const leave = user.subscribe?.((told) => {
    if (told.kind === 'resync' || (told.kind === 'generation' && told.generationId === id)) changed.resolve()
  })
  try {
    for (;;) {
      changed = Promise.withResolvers()
      try {
        return await look()
      } catch (error) {
        if (Date.now() - began > patienceMilliseconds) throw error
      }
      await Promise.race([changed.promise, pause(leave ? lookEvery.told : lookEvery.untold)])
    }
  } finally {
    leave?.()
  }
}

/** Without a state, waits for the end. */
export function reached(user: Watcher, id: string, status?: GenerationStatus): Promise<GenerationView> {
  return afterChanges(user, id, async () => {
    const view = await readGeneration(user, id)
    const there = status ? view.status === status : !(openStatuses as readonly string[]).includes(view.status)
    if (!there) throw new Error(`${id} is ${view.status}${view.error ? ` (${view.error.code})` : ''}`)
    return view
  })
}

/** Lets the waits before the next attempts pass; returns early when the generation has ended. */
export async function passRetryWaits({ deps, clock }: Pick<TestApp, 'deps' | 'clock'>, id: string, retries: number) {
  for (let attempt = 1; attempt <= retries; attempt++) {
    const waits = { status: 'queued', attempts: attempt, waitUntil: expect.any(Date) }
    const row = async () => (await deps.db.select().from(generations).where(eq(generations.id, id)))[0]
    const isOpen = await vi.waitFor(
      async () => {
        const found = await row()
        if (found && !(openStatuses as readonly string[]).includes(found.status)) return false
        expect(found).toMatchObject(waits)
        return true
      },
      { timeout: 300_000, interval: 20 },
    )
    if (!isOpen) return
    clock.advance({ minutes: 2 })
    await resendJobs(deps)
  }
}

export async function creditsOf(user: Pick<TestUser, 'request'>): Promise<number> {
  return ((await (await user.request('/api/user/myCredit')).json()) as { credits: number }).credits
}

/** Stops unfinished generations, so that only this test fails. */
export async function stopOpenGenerations({ deps }: Pick<TestApp, 'deps'>): Promise<void> {
  const open = () =>
    deps.db
      .select({ id: generations.id, userId: generations.userId, status: generations.status })
      .from(generations)
      .where(inArray(generations.status, [...openStatuses]))
  try {
    await vi.waitFor(async () => expect(await open()).toEqual([]), { timeout: 300_000, interval: 20 })
  } finally {
    for (const { id, userId } of await open()) await cancelGeneration(deps, { id, userId })
  }
}

export async function refusal(answer: Response): Promise<[number, string]> {
  const body = (await answer.json()) as { code: string; msg: string }
  if (!body.msg) throw new Error('a refusal without a sentence')
  return [answer.status, body.code]
}
