import { join } from 'node:path'
import { paramsMaxBytes } from '#features/uploads/rules.ts'
import { uploads } from '#features/uploads/server/uploads.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { parseBoundedJson } from '#server/http/validate.ts'
import { translate } from '#server/i18n.ts'
import type { Language } from '#shared/language.ts'
import { previewLongSide } from '#shared/media.ts'
import { addTime } from '#shared/time.ts'
import type { AnyTool } from '#tools/contract/tool.ts'
import { hasPreview, previewMaxBytes } from '../../rules.ts'
import type { PreviewView } from '../../schemas.ts'
import { type AcceptedFile, acceptRequest, problemsOf, refuseProblems } from '../execution/accept-request.ts'
import { awaitJob } from '../execution/await-job.ts'
import { jobFile } from '../queues.ts'
import { wordProblems } from '../tasks/refuse-unsafe.ts'
import { requireEnabled } from '../tools.ts'
import { type MadePreview, previewKeys, previewQueues } from './preview-limits.ts'
import { previewSeconds } from './run-preview.ts'

/** The values are not validated yet; the files are in a local folder. */
interface PreviewForm {
  params: Record<string, unknown>
  files: { input: string; name: string; path: string }[]
}

const limits = { fields: ['params'], maxFiles: 20, filesBytes: previewMaxBytes, fileBytes: () => previewMaxBytes }

/** Reads `params`, and writes files named after the tool's inputs to the folder. */
async function readPreview(
  request: Request,
  { address, folder }: { address: string; folder: string },
): Promise<PreviewForm> {
  const own = { ...limits, sender: `visitor ${address}` }
  uploads.requireForm(request, own)
  const files: PreviewForm['files'] = []
  const { params } = await uploads.parseForm(request, own, async ({ field, name, chunks }) => {
    const path = join(folder, String(files.length))
    files.push({ input: field, name, path })
    await uploads.saveFormFile({ chunks }, path)
  })
  return { params: params === undefined ? {} : readParams(params), files }
}

function readParams(text: string): Record<string, unknown> {
  if (text.length > paramsMaxBytes) throw appError('params.invalid', { details: { params: 'params.too_long' } })
  const value = parseBoundedJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw appError('params.invalid', { details: { params: 'params.object' } })
  }
  return value as Record<string, unknown>
}

type PreviewDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'jobs' | 'notifier' | 'withFolder'>

/** Previews of a crashed server are removed after this time. */
const keptHours = 1

interface PreviewRequest {
  request: Request
  tool: AnyTool
  address: string
  language: Language
  /** Called before the engine starts; an error refuses the preview. */
  onAccepted: () => Promise<void>
  /** Set when an admin compares providers. */
  provider?: string
}

/**
 * Previews a tool free and without an account. The server stores nothing: files are deleted after
 * the response.
 */
export async function makePreview(
  deps: PreviewDeps,
  { request, tool, address, language, onAccepted, provider }: PreviewRequest,
): Promise<PreviewView & Pick<MadePreview, 'seconds' | 'failed'>> {
  const { db, store, clock } = deps
  if (!hasPreview(tool) && !provider) throw appError(tool.needsConsent ? 'consent.required' : 'auth.required')
  await requireEnabled(db, tool.id)
  const id = crypto.randomUUID()
  const storageKey = previewKeys.folder(id)
  const now = clock()
  try {
    const { given, accepted } = await deps.withFolder(async (folder) => {
      const { params: given, files } = await readPreview(request, { address, folder })
      const deleteAt = addTime(now, { hours: keptHours })
      await uploads.announceFiles(db, { files: [{ storageKey, bytes: 0 }], now, deleteAt })
      const accepted = await previewQueues.fileCheck.run(address, async () => {
        const checked: AcceptedFile[] = []
        for (const [index, file] of files.entries()) {
          checked.push(await checkInput(deps, tool.id, { ...file, storageKey: previewKeys.input(id, index) }, checked))
        }
        return checked
      })
      return { given, accepted }
    })
    const acceptedRequest = await acceptRequest(db, { tool, params: given }, accepted)
    // A compared provider must do everything that a paid generation would need.
    const params = provider ? acceptedRequest.params : { ...acceptedRequest.params, ...tool.previewParams }
    refuseProblems([...wordProblems({ tool, params }), ...problemsOf(tool, params, acceptedRequest.info)])
    const inputs = accepted.map(jobFile)
    await onAccepted()
    await previewQueues.engine.run(address, () =>
      awaitJob(
        deps,
        'make-preview',
        { jobId: id, tool: tool.id, params, inputs, ...(provider && { provider }) },
        previewSeconds + 15,
      ),
    )
    const made = JSON.parse(Buffer.from(await store.get(previewKeys.made(id))).toString()) as MadePreview
    const outputs = await Promise.all(
      made.outputs.map(async ({ label, ...output }, index) => {
        const data = Buffer.from(await store.get(previewKeys.output(id, index))).toString('base64')
        return { ...output, label: label || null, data }
      }),
    )
    const warnings = made.warnings.map((code) => ({ code, msg: translate(language, `warning.${code}`) }))
    return { outputs, warnings, seconds: made.seconds, ...(made.failed !== undefined && { failed: made.failed }) }
  } finally {
    await store.delete([storageKey]).catch(() => {})
  }
}

/** Accepts only small pictures. All visitors together wait in line like one account. */
async function checkInput(
  deps: Pick<PreviewDeps, 'store' | 'withFolder'>,
  tool: string,
  { input, name, path, storageKey }: PreviewForm['files'][number] & { storageKey: string },
  before: readonly AcceptedFile[],
): Promise<AcceptedFile> {
  const found = await uploads.storeChecked(deps, { source: path, kept: storageKey, owner: 'visitors' })
  const refuse = (code: 'upload.not_image' | 'upload.too_many_pixels') =>
    appError(code, { details: { [input.slice(0, 100)]: code }, cause: new Error(`a preview of ${tool}`) })
  if (!found.contentType.startsWith('image/')) throw refuse('upload.not_image')
  if (Math.max(found.width, found.height) > previewLongSide) throw refuse('upload.too_many_pixels')
  const position = before.filter((file) => file.input === input).length
  return { seconds: 0, ...found, input, position, name, storageKey }
}
