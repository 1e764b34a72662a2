import { isIP } from 'node:net'
import type { Config } from '#server/config.ts'
import { appError } from '#server/http/app-error.ts'
import { brandName } from '#shared/brand.ts'

/** Browsers support no passkeys for a bare IP address. */
export function relyingParty({ publicUrl }: Pick<Config, 'publicUrl'>): { id: string; name: string; origin: string } {
  if (!hasPasskeys({ publicUrl })) throw appError('request.not_found')
  return { id: publicUrl.hostname, name: brandName, origin: publicUrl.origin }
}

export function hasPasskeys({ publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  const secure = publicUrl.protocol === 'https:' || publicUrl.hostname === 'localhost'
  return secure && isIP(publicUrl.hostname.replace(/^\[|\]$/g, '')) === 0
}
