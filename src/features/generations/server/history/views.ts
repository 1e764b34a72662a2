import { and, asc, count, eq, inArray, lt, or } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Config } from '#server/config.ts'
import type { Executor } from '#server/db/database.ts'
import { hasMessage, translate } from '#server/i18n.ts'
import { signFileAddress } from '#server/storage/signed-address.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Language } from '#shared/language.ts'
import type { ToolRegistry } from '#tools/contract/tool.ts'
import { keptRenderings } from '../../rules.ts'
import type { FileView, GenerationView, RefundRequestView } from '../../schemas.ts'
import { generationFiles, generations, refundRequests } from '../table.ts'

export type Generation = typeof generations.$inferSelect
export type GenerationFile = typeof generationFiles.$inferSelect

interface ViewDeps {
  config: Pick<Config, 'fileSigningKey'>
  clock: () => Date
  tools: ToolRegistry
}

/** Addresses of files are signed for the session. */
export interface Viewer {
  language: Language
  sessionId: string
}

/** Views keep the order of the rows. */
export async function generationViews(
  deps: ViewDeps,
  executor: Executor,
  rows: Generation[],
  { language, sessionId }: Viewer,
): Promise<GenerationView[]> {
  if (rows.length === 0) return []
  const files = await executor
    .select()
    .from(generationFiles)
    .where(
      inArray(
        generationFiles.generationId,
        rows.map(({ id }) => id),
      ),
    )
    .orderBy(asc(generationFiles.position), asc(generationFiles.id))
  const places = await queuePlaces(executor, rows)
  const requests = await refundRequestsOf(executor, rows)
  const repeated = await repeatedFailures(executor, rows)
  return rows.map((row) => {
    const mine = files.filter(({ generationId }) => generationId === row.id)
    const [thumbnail] = mine.filter(({ role }) => role === 'thumbnail')
    const outputs = mine.filter(({ role }) => role === 'output')
    return {
      id: row.id,
      change: row.change,
      tool: row.tool,
      status: row.status,
      progress: row.progress,
      position: places.get(row.id) ?? null,
      credits: row.credits,
      test: row.test,
      engineVersion: row.engineVersion || null,
      params: row.params,
      provider: row.provider,
      warnings: row.warnings.map((code) => ({ code, msg: translate(language, `warning.${code}`) })),
      error: row.errorCode && {
        code: row.errorCode,
        msg: failureText(row.errorCode, mine, language),
        repeated: repeated.has(row.id),
      },
      facts: row.facts,
      inputs: inputsOf(deps, row, mine).map((file) => ({ ...fileView(deps, file, sessionId), input: file.label })),
      outputs: outputs.map((file) => ({ ...fileView(deps, file, sessionId), label: file.label || null })),
      thumbnailUrl: thumbnail ? fileView(deps, thumbnail, sessionId).url : null,
      rendering: renderingView(row),
      refundRequest: requests.get(row.id) ?? null,
      createdAt: row.createdAt.toISOString(),
      finishedAt: row.finishedAt?.toISOString() ?? null,
      expiresAt: row.expiresAt.toISOString(),
    }
  })
}

/** Without signed addresses, which would outlive the message. `credits` are those spent. */
export async function generationMessage(
  executor: Executor,
  row: Generation,
  language: Language,
): Promise<Record<string, unknown>> {
  const files = await executor
    .select()
    .from(generationFiles)
    .where(eq(generationFiles.generationId, row.id))
    .orderBy(asc(generationFiles.position), asc(generationFiles.id))
  return {
    id: row.id,
    tool: row.tool,
    status: row.status,
    credits: row.status === 'succeeded' ? row.credits : 0,
    error: row.errorCode && { code: row.errorCode, msg: failureText(row.errorCode, files, language) },
    outputs: files
      .filter(({ role }) => role === 'output')
      .map(({ id, name, label, contentType, width, height, bytes }) => {
        return { id, name, label: label || null, contentType, width, height, bytes }
      }),
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }
}

const renderingView = ({ rendering, newestRendering }: Generation) => ({
  position: rendering,
  oldest: Math.max(0, newestRendering + 1 - keptRenderings),
  newest: newestRendering,
})

/** Some failures have another message for videos. */
function failureText(code: ErrorCode, files: GenerationFile[], language: Language): string {
  const video = files.some(({ contentType }) => contentType.startsWith('video/'))
  const ofVideo = `error.${code}.video` as const
  return translate(language, video && hasMessage(language, ofVideo) ? ofVideo : `error.${code}`)
}

export async function generationView(
  deps: ViewDeps,
  executor: Executor,
  row: Generation,
  viewer: Viewer,
): Promise<GenerationView> {
  const [view] = await generationViews(deps, executor, [row], viewer)
  return view as GenerationView
}

function inputsOf({ tools }: ViewDeps, { tool }: Generation, files: GenerationFile[]): GenerationFile[] {
  const names = Object.keys(tools[tool]?.inputs ?? {})
  return files
    .filter(({ role }) => role === 'input')
    .sort((a, b) => names.indexOf(a.label) - names.indexOf(b.label) || a.position - b.position)
}

function fileView({ config, clock }: ViewDeps, file: GenerationFile, session: string): FileView {
  const { id, name, contentType, width, height, bytes } = file
  return {
    id,
    url: signFileAddress({ id, name, session }, config.fileSigningKey, clock()),
    name,
    contentType,
    width,
    height,
    bytes,
  }
}

/** Only results can be refunded, so most events need no query here. */
async function refundRequestsOf(executor: Executor, rows: Generation[]): Promise<Map<string, RefundRequestView>> {
  const ids = rows.flatMap(({ id, status }) => (status === 'succeeded' ? [id] : []))
  if (ids.length === 0) return new Map()
  const found = await executor
    .select({
      id: refundRequests.generationId,
      status: refundRequests.status,
      refunded: refundRequests.refunded,
    })
    .from(refundRequests)
    .where(inArray(refundRequests.generationId, ids))
  return new Map(found.map(({ id, ...request }) => [id, request]))
}

/** Failed generations whose same request, by content, has failed with the same error before. */
async function repeatedFailures(executor: Executor, rows: Generation[]): Promise<Set<string>> {
  const ids = rows.flatMap(({ id, status }) => (status === 'failed' ? [id] : []))
  if (ids.length === 0) return new Set()
  const earlier = alias(generations, 'earlier')
  const found = await executor
    .selectDistinct({ id: generations.id })
    .from(generations)
    .innerJoin(
      earlier,
      and(
        eq(earlier.userId, generations.userId),
        eq(earlier.tool, generations.tool),
        eq(earlier.status, 'failed'),
        eq(earlier.contentHash, generations.contentHash),
        eq(earlier.errorCode, generations.errorCode),
        lt(earlier.id, generations.id),
      ),
    )
    .where(inArray(generations.id, ids))
  return new Set(found.map(({ id }) => id))
}

/** Number of generations ahead in the queue; ids ascend with the time of creation. */
async function queuePlaces(executor: Executor, rows: Generation[]): Promise<Map<string, number>> {
  const places = new Map<string, number>()
  for (const { id, status, queue, turn } of rows) {
    if (status !== 'queued') continue
    const earlier = or(lt(generations.turn, turn), and(eq(generations.turn, turn), lt(generations.id, id)))
    const [before] = await executor
      .select({ count: count() })
      .from(generations)
      .where(and(eq(generations.status, 'queued'), eq(generations.queue, queue), earlier))
    places.set(id, before?.count ?? 0)
  }
  return places
}
