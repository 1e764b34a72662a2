import { credits } from '#features/credits/server/credits.ts'
import { requireConsent } from '#server/auth/consent.ts'
import type { Deps } from '#server/deps.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import { hasMessage, translate } from '#server/i18n.ts'
import type { Language } from '#shared/language.ts'
import type { PhotoCheckView } from '#tools/contract/schemas.ts'
import { acceptRequest, problemsOf, takeInputs } from '../execution/accept-request.ts'
import type { GenerationRequest } from '../execution/read-request.ts'
import { countedWordProblems, countUnsafe } from '../tasks/refuse-unsafe.ts'
import { providerProblem } from '../tasks/usable-providers.ts'
import { requireEnabled } from '../tools.ts'
import { photoCheckOf } from './photo-check.ts'

/** Megapixels per hour and user: five hundred pictures of a phone. */
const freeMegapixels = 6000

/** Throws `request.rate_limited` when the user has reached the limit of this hour. */
export async function countFreePixels(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  userId: string,
  files: readonly { width: number; height: number }[],
): Promise<void> {
  const pixels = files.reduce((sum, { width, height }) => sum + width * height, 0)
  const cost = Math.max(1, Math.ceil(pixels / 1e6))
  await limitRate(deps, [{ rule: 'generations:free', subject: userId, limit: freeMegapixels, seconds: 3600, cost }])
}

/** Checks free of charge. Findings that need decoded pictures are computed once and cached. */
export async function checkInputs(
  deps: Pick<Deps, 'db' | 'store' | 'clock' | 'config' | 'jobs' | 'notifier' | 'withFolder' | 'providers'>,
  { userId, request, language }: { userId: string; request: GenerationRequest; language: Language },
): Promise<PhotoCheckView> {
  const files = await takeInputs(deps, userId, request.inputs)
  const accepted = await acceptRequest(deps.db, request, files)
  const { tool, params } = accepted
  await requireEnabled(deps.db, tool.id)
  if (tool.needsConsent) await requireConsent(deps.db, userId, tool.needsConsent)
  if (tool.checksPhotos) await countFreePixels(deps, userId, files)
  const photoCheck = await photoCheckOf(deps, accepted)
  await countUnsafe(deps, userId, accepted, photoCheck?.problems ?? [])
  const refused = await countedWordProblems(deps, userId, accepted)
  const { withoutProvider } = tool
  const isUnavailable = withoutProvider && (await providerProblem(deps, userId, tool, params)) === 'unavailable'
  const info = photoCheck ? { ...accepted.info, photoCheck } : accepted.info
  const say = (kind: 'error' | 'warning' | 'check' | 'check_failed', code: string) => ({
    code,
    msg: messageOf(language, kind, code),
  })
  return {
    credits: tool.price(await credits.unitPrice(deps.db, tool), params, info),
    facts: photoCheck?.facts ?? {},
    faces: (photoCheck?.faces ?? []).map(({ points = [], ...face }) => ({ ...face, points })),
    warnings: (photoCheck?.warnings ?? []).map((code) => say('warning', code)),
    problems: [
      ...refused,
      ...problemsOf(tool, params, info),
      ...(isUnavailable && refused.length === 0 ? [withoutProvider] : []),
    ].map(({ path, code }) => ({ path, ...say('error', code) })),
    checks: (photoCheck?.checks ?? []).map(({ code, status, measured = null, wanted = null }) => {
      return { ...say(status === 'ok' ? 'check' : 'check_failed', code), status, measured, wanted }
    }),
  }
}

/** Falls back to the general message for unusable files. */
function messageOf(language: Language, kind: 'error' | 'warning' | 'check' | 'check_failed', code: string): string {
  const id = `${kind}.${code}` as const
  return translate(language, (hasMessage(language, id) ? id : 'error.params.invalid') as 'error.params.invalid')
}
