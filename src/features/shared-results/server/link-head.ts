import type { Deps } from '#server/deps.ts'
import type { PageHead } from '#server/http/page-head.ts'
import { translate } from '#server/i18n.ts'
import { type Language, languages, negotiateLanguage } from '#shared/language.ts'
import { linkPicture } from '#tools/engine/link-picture.ts'
import { sharedPath } from '../rules.ts'
import { findShared } from './find-shared.ts'

const page = /^\/shared\/([^/]+)\/?$/

/**
 * Link preview for messengers, never with the owner, nor the picture of a locked link. Undefined
 * for other addresses.
 */
export async function linkHead(
  deps: Pick<Deps, 'db' | 'config' | 'clock' | 'tools'>,
  asked: { path: string; language: string | undefined; acceptLanguage: string | undefined },
): Promise<PageHead | undefined> {
  const token = page.exec(asked.path)?.[1]
  if (token === undefined) return undefined
  const language: Language =
    languages.find((known) => known === asked.language) ?? negotiateLanguage(asked.acceptLanguage)
  const shared = await findShared(deps, token)
  const state = !shared ? 'ended.' : shared.link.passwordHash === null ? '' : 'locked.'
  const { origin } = deps.config.publicUrl
  const { width, height } = linkPicture
  const picture =
    state === '' && shared?.files.preview
      ? { url: `${origin}/api/shared_results/${token}/preview`, contentType: 'image/jpeg', width, height }
      : { url: `${origin}/icons/icon-512.png`, contentType: 'image/png', width: 512, height: 512 }
  return {
    language,
    title: translate(language, `shared.${state}title`),
    description: translate(language, `shared.${state}text`),
    ...(shared && { url: `${origin}${sharedPath(token)}` }),
    picture,
    status: shared ? 200 : 404,
  }
}
