import { asc, count, eq, inArray, isNull, lte } from 'drizzle-orm'
import type { Context } from 'hono'
import { jsonFile, type PersonalData } from '#server/account-hooks.ts'
import { ageErrors, requireAllowedAge } from '#server/auth/age.ts'
import { requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import type { UserEnv } from '#server/http/env.ts'
import { route } from '#server/http/route.ts'
import type { MetricSource } from '#server/metrics.ts'
import { uploadHours, uploadStatuses } from '../rules.ts'
import { contentKey, dropFiles, findUpload, folderOf, sweepFiles, uploadView } from './stored-files.ts'
import { uploads } from './table.ts'

const personalData: PersonalData = {
  async *archive({ db, store }, { userId }) {
    const mine = await db.select().from(uploads).where(eq(uploads.userId, userId)).orderBy(asc(uploads.id))
    if (mine.length === 0) return
    yield jsonFile(
      'uploads/uploads.json',
      mine.map(({ userId: _, parts: __, ...upload }) => upload),
    )
    for (const { id, status, name, createdAt: modified } of mine) {
      if (status !== 'ready') continue
      // The upload may expire while the archive is being read.
      const file = await store.stream(contentKey(id)).catch(() => undefined)
      if (file) yield { name: `uploads/${id}-${name}`, content: file.body, modified }
    }
  },

  async erase(tx, { userId, now }) {
    const gone = await tx.delete(uploads).where(eq(uploads.userId, userId)).returning({ id: uploads.id })
    return await dropFiles(
      tx,
      gone.map(({ id }) => ({ storageKey: folderOf(id) })),
      now,
    )
  },
}

const uploadMetrics: readonly MetricSource<Pick<Deps, 'db'>>[] = [
  {
    name: 'rupa_uploads',
    help: 'Unused uploads by status',
    labels: ['status'],
    async read({ db }) {
      const { status, usedAt } = uploads
      const rows = await db.select({ status, open: count() }).from(uploads).where(isNull(usedAt)).groupBy(status)
      return rows.map(({ status, open }) => ({ labels: { status }, value: open }))
    },
  },
]

export const uploadContributions = { metrics: uploadMetrics, personalData, work: workUploads }

type RetentionDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'jobs'>

/** Deletes expired uploads, and files of any feature that no row keeps. */
async function workUploads(deps: RetentionDeps): Promise<void> {
  await deps.jobs.every('sweep-files', 600, async (signal) => {
    await deleteExpiredUploads(deps)
    await sweepFiles(deps, signal)
  })
}

/** Their files expire at the same time on their own. */
export async function deleteExpiredUploads({ db, clock }: Pick<RetentionDeps, 'db' | 'clock'>): Promise<void> {
  const expired = db.select({ id: uploads.id }).from(uploads).where(lte(uploads.expiresAt, clock()))
  await db.delete(uploads).where(inArray(uploads.id, expired))
}

const text = { type: 'string' } as const
const whole = { type: 'integer', minimum: 0 } as const
const maybe = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })
const view = {
  type: 'object',
  properties: {
    id: { ...text, format: 'uuid' },
    status: { ...text, enum: [...uploadStatuses] },
    name: text,
    contentType: maybe(text),
    bytes: whole,
    received: whole,
    width: maybe(whole),
    height: maybe(whole),
    seconds: maybe({ type: 'number' }),
    expiresAt: { ...text, format: 'date-time' },
  },
}
const header = (name: string, description: string, required = true) => ({
  in: 'header' as const,
  name,
  description,
  required,
  schema: text,
})
const version = header('Tus-Resumable', '1.0.0')

export function uploadRoutes(deps: Deps) {
  const signedIn = requireUser(deps)
  // Loaded with the first upload, so that the server starts faster.
  const upload = async (c: Context<UserEnv>) => (await import('./tus.ts')).handleTus(deps, c)
  return [
    route('createUpload', 'POST /uploads', signedIn, {
      summary: `Create an upload with tus 1.0.0 (creation, termination, expiration); deleted after ${uploadHours} hours if unused`,
      headers: [
        version,
        header('Upload-Length', 'bytes of the file'),
        header('Upload-Metadata', '`filename` and `filetype`, base64', false),
      ],
      output: { 201: 'Created; the address is in the Location header' },
      errors: ['upload.protocol', 'upload.empty', 'upload.too_large', 'upload.limit', 'upload.no_space', ...ageErrors],
      handler: async (c) => {
        // Uploads under way may end.
        await requireAllowedAge(deps.db, deps.config, { userId: c.var.user.id, now: deps.clock() })
        return await upload(c)
      },
    }),
    route('readUploadOptions', 'OPTIONS /uploads', signedIn, {
      summary: 'Get the tus capabilities',
      output: { 204: 'The headers name them' },
      handler: upload,
    }),
    route('readUpload', 'GET /uploads/:id', signedIn, {
      summary: 'Get an upload; HEAD returns its offset (tus)',
      output: { 200: { description: 'The upload', content: { 'application/json': { schema: view as never } } } },
      errors: ['upload.not_found'],
      handler: async (c) => {
        // Hono routes HEAD to the handler of GET.
        if (c.req.raw.method === 'HEAD') return await upload(c)
        return uploadView(await findUpload(deps, c.var.user.id, c.req.param('id')))
      },
    }),
    route('appendToUpload', 'PATCH /uploads/:id', signedIn, {
      summary: 'Send bytes of an upload; the last one triggers its validation',
      headers: [version, header('Upload-Offset', 'where these bytes belong')],
      output: { 204: 'Stored; the new offset is in the Upload-Offset header' },
      errors: ['upload.protocol', 'upload.not_found', 'upload.conflict', 'upload.not_image', 'upload.unreadable'],
      handler: upload,
    }),
    route('deleteUpload', 'DELETE /uploads/:id', signedIn, {
      summary: 'Delete an upload',
      headers: [version],
      output: { 204: 'Deleted' },
      errors: ['upload.protocol', 'upload.not_found'],
      handler: upload,
    }),
  ]
}
